//! Prints the regions of C files (preprocessed, LP64), or, for a folder with an `index.tsv`, how long
//! the points-to analysis takes on its tasks:
//! `cargo run --release -p lakatos-c --example regions -- FILE.c…|FOLDER`.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lakatos_c::{Options, compile};
use lakatos_ir::points_to::PointsTo;
use lakatos_ir::{DataModel, Program, Source};

/// So many of the slowest tasks are shown.
const SHOWN: usize = 10;

fn main() {
    for arg in std::env::args().skip(1) {
        match Path::new(&arg).is_dir() {
            true => measure(Path::new(&arg)),
            false => print(Path::new(&arg)),
        }
    }
}

fn program(path: &Path, model: DataModel) -> Option<Program> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let source = Source::new(path.display().to_string(), text);
    compile(source, &Options::of_model(model)).ok()
}

fn print(path: &Path) {
    match program(path, DataModel::Lp64) {
        Some(program) => print!("{}", PointsTo::new(&program).show(&program)),
        None => eprintln!("{}: cannot be read or compiled", path.display()),
    }
}

/// Analyses every task once; the slowest ones and some sums.
fn measure(folder: &Path) {
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        eprintln!("{}: has no index.tsv", folder.display());
        return;
    };
    let tasks: BTreeSet<(String, bool)> = index
        .lines()
        .skip(1)
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Some((cells.get(1)?.to_string(), cells.get(5) == Some(&"ILP32")))
        })
        .collect();
    let mut times: Vec<(Duration, String)> = Vec::new();
    let (mut regions, mut mixed, mut cells) = (0, 0, 0);
    for (file, narrow) in tasks {
        let model = if narrow { DataModel::Ilp32 } else { DataModel::Lp64 };
        let Some(program) = program(&folder.join(&file), model) else { continue };
        let start = Instant::now();
        let memory = PointsTo::new(&program);
        let time = start.elapsed();
        let is_mixed =
            |r: &lakatos_ir::points_to::Region| r.shape == lakatos_ir::points_to::Shape::Bytes;
        regions += memory.regions().len();
        mixed += memory.regions().iter().filter(|(_, r)| is_mixed(r)).count();
        cells += memory.cells().len();
        let text = format!("{file} ({} regions)", memory.regions().len());
        times.push((time, text));
    }
    times.sort_by(|a, b| b.cmp(a));
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    println!(
        "{} files in {total:.2?}: {cells} cells, {regions} regions, {mixed} mixed",
        times.len()
    );
    for (time, file) in times.iter().take(SHOWN) {
        println!("{time:10.1?}  {file}");
    }
}
