//! Quantile plots: how many tasks, or what score, runs get within which time.

use anyhow::{Result, ensure};
use lakatos_report::plot::{self, Plot, Scale, Series};

use super::results::Row;
use super::runs::{self, Run};
use crate::args::{PlotArgs, PlotBy};
use crate::exit::Exit;
use crate::whole;

pub fn plot(args: &PlotArgs) -> Result<Exit> {
    let read_too: Vec<_> = args.rows.iter().map(|path| (&**path, "read, too")).collect();
    whole::ensure_apart(args.output.as_deref(), &read_too)?;
    let mut runs = runs::read(&args.rows)?;
    ensure!(!runs.is_empty(), "there is nothing to draw: no row is in the files");
    let (names, lines) = (args.names.len(), runs.len());
    ensure!(names <= lines, "there are {lines} lines to draw, and --name is given {names} times");
    for (run, name) in runs.iter_mut().zip(&args.names) {
        run.name.clone_from(name);
    }
    let plot = Plot {
        title: args.title.clone(),
        across: match args.by {
            PlotBy::Tasks => "tasks with a correct verdict, fastest first",
            PlotBy::Score => "score of the tasks with a correct verdict, fastest first",
        }
        .to_owned(),
        up: "processor time of a task, in seconds".to_owned(),
        limit: common_limit(&runs),
        series: runs.iter().map(|run| series(run, args.by)).collect(),
        scale: Scale::Linear,
    };
    whole::write_or_print(args.output.as_deref(), &plot::svg(&plot))?;
    Ok(Exit::Good)
}

fn common_limit(runs: &[Run]) -> Option<f64> {
    let first = runs.first()?.settings.timeout;
    runs.iter().all(|run| run.settings.timeout == first).then_some(first)
}

fn series(run: &Run, by: PlotBy) -> Series {
    let mut correct: Vec<&Row> = run.rows.iter().filter(|row| row.right == Some(true)).collect();
    correct.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let wrong = run.rows.iter().filter(|row| row.right == Some(false));
    let (count, cost) = wrong.fold((0, 0), |(n, sum), row| (n + 1, sum + row.score()));
    let mut reached = match by {
        PlotBy::Tasks => 0,
        PlotBy::Score => cost,
    };
    let points = correct.iter().map(|row| {
        reached += match by {
            PlotBy::Tasks => 1,
            PlotBy::Score => row.score(),
        };
        (reached as f64, row.cpu)
    });
    let points = points.collect();
    let score: i64 = run.rows.iter().map(Row::score).sum();
    let (solved, tasks) = (correct.len(), run.rows.len());
    let wrong = if count > 0 { format!(", {count} WRONG") } else { String::new() };
    let note = format!("{solved} of {tasks} correct{wrong}, score {score}");
    Series { name: run.name.clone(), note, points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::answer::Answer;
    use crate::bench::results::Settings;

    #[test]
    fn tasks_and_scores_add_up() {
        let rows = [
            ("a.c", true, Answer::True, 4.0),
            ("b.c", false, Answer::False, 0.5),
            ("c.c", true, Answer::Timeout, 9.0),
            ("d.c", true, Answer::False, 0.1),
            ("e.c", true, Answer::True, 1.0),
        ];
        let row = |&(task, expected, answer, cpu): &(&str, bool, Answer, f64)| Row {
            cpu,
            ..Row::answered(task, expected, answer)
        };
        let settings = Settings::sample();
        let rows = rows.iter().map(row).collect();
        let run = Run { name: "x".to_owned(), settings, rows };
        let tasks = series(&run, PlotBy::Tasks);
        assert_eq!(tasks.points, [(1.0, 0.5), (2.0, 1.0), (3.0, 4.0)]);
        assert_eq!(tasks.note, "3 of 5 correct, 1 WRONG, score -11");
        let scores = series(&run, PlotBy::Score);
        assert_eq!(scores.points, [(-15.0, 0.5), (-13.0, 1.0), (-11.0, 4.0)]);
        assert_eq!(common_limit(&[run]), Some(10.0));
    }
}
