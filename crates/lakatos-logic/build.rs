//! Finds the Z3 library, or fetches it, and puts it where every binary of the workspace looks.
//!
//! `z3-sys` only says "link `libz3`". This script copies the library into the folder that cargo
//! puts binaries into (`target/debug`, `target/release`, …) and lets the linker search there;
//! `.cargo/config.toml` gives every binary, test and bench the run-time path `$ORIGIN` and
//! `$ORIGIN/..`, which is that folder. A link argument printed here would reach the targets of
//! this crate only, and an absolute path would break a binary that is moved with its library.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::SystemTime;
use std::{env, io};

const WHEEL: &str = "z3-wheel.txt";
const FETCHED: &str = "z3-5.4.0.0";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    if let Err(error) = provide_z3() {
        // One directive per line; the script itself ends well, so that cargo shows these lines
        // and not everything else the script said.
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
    }
}

fn provide_z3() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={WHEEL}");
    println!("cargo::rerun-if-env-changed=Z3_LIB_DIR");
    // Without it, `z3-sys` may have linked some other Z3 that pkg-config knows.
    if env::var_os("Z3_NO_PKG_CONFIG").is_none() {
        return Err("run cargo inside the repository: its .cargo/config.toml was not read".into());
    }

    let binaries = binaries_folder(Path::new(&variable("OUT_DIR")?))?;
    let source = match env::var_os("Z3_LIB_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => given(PathBuf::from(dir))?,
        None => fetched(&target_folder(&binaries)?)?,
    };
    for library in libraries(&source)? {
        let placed = binaries.join(library.file_name().ok_or("a library without a name")?);
        place(&library, &placed)?;
        // Heals a folder that somebody cleaned up.
        println!("cargo::rerun-if-changed={}", placed.display());
    }
    println!("cargo::rustc-link-search=native={}", binaries.display());
    Ok(())
}

/// The folder of the binaries: `OUT_DIR` is `<target>[/<triple>]/<profile>/build/…`.
fn binaries_folder(out_dir: &Path) -> Result<PathBuf> {
    let build = out_dir.ancestors().find(|dir| dir.ends_with("build"));
    let binaries = build.and_then(Path::parent);
    Ok(binaries.ok_or("OUT_DIR does not look as expected")?.to_owned())
}

/// The folder that all profiles and triples share.
fn target_folder(binaries: &Path) -> Result<PathBuf> {
    let triple = variable("TARGET")?;
    let mut above = binaries.ancestors().skip(1);
    let target = above.find(|dir| !dir.ends_with(&triple));
    Ok(target.ok_or("OUT_DIR does not look as expected")?.to_owned())
}

/// The folder that `Z3_LIB_DIR` names.
fn given(dir: PathBuf) -> Result<PathBuf> {
    let shown = dir.display();
    if !dir.is_absolute() {
        // A build script does not know where cargo was started.
        return Err(format!("Z3_LIB_DIR must be an absolute path, it is {shown}").into());
    }
    if !["libz3.so", "libz3.dylib"].iter().any(|name| dir.join(name).exists()) {
        return Err(format!("Z3_LIB_DIR ({shown}) holds no libz3.so or libz3.dylib").into());
    }
    for library in libraries(&dir)? {
        // Its owner may put another version there.
        println!("cargo::rerun-if-changed={}", library.display());
    }
    Ok(dir)
}

/// The folder with the library of the pinned wheel, downloaded unless an earlier build did.
fn fetched(target: &Path) -> Result<PathBuf> {
    let folder = target.join(FETCHED);
    if folder.is_dir() {
        return Ok(folder);
    }
    // Another cargo may do the same at this moment: work aside, then rename.
    let aside = target.join(format!("{FETCHED}.{}", process::id()));
    let done = download(&aside).and_then(|()| {
        fs::rename(aside.join("z3/lib"), &folder).or_else(|error| {
            let other_was_faster = folder.is_dir();
            other_was_faster.then_some(()).ok_or(error.into())
        })
    });
    // Nothing depends on whether this succeeds.
    let _ = fs::remove_dir_all(&aside);
    done?;
    Ok(folder)
}

/// Unpacks the pinned wheel into a folder.
fn download(into: &Path) -> Result<()> {
    // Older ones number their operators differently from `z3-sys`.
    const ADVICE: &str = "Lakatos links the Z3 library, version 5.3.2 or newer. Either install python3 with \
        pip and let the build download it (once per target folder),\n\
        or set Z3_LIB_DIR to the absolute path of a folder that holds libz3.so or libz3.dylib.";

    let (host, target) = (variable("HOST")?, variable("TARGET")?);
    if host != target {
        return Err(format!("no Z3 is fetched for {target} on {host}\n{ADVICE}").into());
    }
    let output = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"])
        .args(["--disable-pip-version-check", "--only-binary", ":all:"])
        .args(["--require-hashes", "--requirement", WHEEL, "--target"])
        .arg(into)
        .output()
        .map_err(|error| format!("cannot run python3: {error}\n{ADVICE}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("pip cannot install {WHEEL}:\n{}\n{ADVICE}", said.trim()).into());
    }
    Ok(())
}

/// Everything named `libz3.so`, `libz3.so.5.4`, `libz3.dylib`, …: the linker wants the plain name,
/// the loader the one the library has inside.
fn libraries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let dylib = name.starts_with("libz3.") && name.ends_with(".dylib");
        if name == "libz3.so" || name.starts_with("libz3.so.") || dylib {
            found.push(path);
        }
    }
    Ok(found)
}

/// Copies a library, in one step for whoever runs or links the old one meanwhile.
fn place(library: &Path, placed: &Path) -> io::Result<()> {
    let aside = placed.with_added_extension(process::id().to_string());
    fs::copy(library, &aside)?;
    // A file newer than the start of this script would make cargo run it again.
    File::open(&aside)?.set_modified(SystemTime::UNIX_EPOCH)?;
    fs::rename(&aside, placed)
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}
