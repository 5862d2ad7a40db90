//! Files that are there as a whole or not at all: what is written goes to a file beside it, which
//! takes its place in the end. Who reads it meanwhile sees the old one, and so does whoever comes
//! after a full disk or a signal.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};

use crate::supervise::worker;

/// Before the user's mask.
const PERMISSIONS: u32 = 0o666;

/// Of the files that this process writes, so that each has a name of its own.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Standard output, as every command names it that may write there.
const STDOUT: &str = "-";

pub fn write(path: &Path, text: &str) -> Result<()> {
    try_write(path, text)
        .map_err(|error| plain(path, error))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// To a file, or else (also by the name `-`) to standard output.
pub fn write_or_print(path: Option<&Path>, text: &str) -> Result<()> {
    match path.filter(|path| *path != Path::new(STDOUT)) {
        Some(path) => write(path, text),
        None => {
            let out = &mut io::stdout().lock();
            out.write_all(text.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}

/// Before the work: a file could be written there (or it is standard output), and it is none of
/// those that are read, each of which is given with what it is.
pub fn ensure_apart(path: Option<&Path>, read: &[(&Path, &str)]) -> Result<()> {
    let Some(path) = path.filter(|path| *path != Path::new(STDOUT)) else { return Ok(()) };
    let file = real(path);
    for (input, what) in read {
        ensure!(
            file != real(input),
            "{} is {what}, and would be overwritten\n  Give another name for the output.",
            path.display()
        );
    }
    ensure_possible(path)
}

/// Without links and dots; of a file that is not there yet, as far as its folder is.
pub fn real(path: &Path) -> PathBuf {
    let beside = |name| Some(folder(path).canonicalize().ok()?.join(name));
    let new = || path.file_name().and_then(beside).unwrap_or_else(|| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| new())
}

/// Whether a file could be written there, as far as can be told: better before an hour of work than
/// after it.
pub fn ensure_possible(path: &Path) -> Result<()> {
    ensure!(
        path != Path::new(STDOUT),
        "`-` is standard output, which only `--json` and `--output` can have here\n  \
         Give a file (`./-` if it is to be called so)."
    );
    let possible = || -> io::Result<()> {
        match special(path) {
            Some(true) => return Ok(()),
            Some(false) => return Err(io::Error::other("it is a directory")),
            None => {}
        }
        // It has no name, and nothing is left of it whatever happens.
        let folder = folder(&target(path));
        fs::metadata(&folder)?;
        tempfile::tempfile_in(folder).map(drop)
    };
    possible()
        .map_err(|error| plain(path, error))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn try_write(path: &Path, text: &str) -> io::Result<()> {
    match special(path) {
        // A pipe or a device cannot be replaced, and has no half of a text.
        Some(true) => return fs::write(path, text),
        Some(false) => return Err(io::Error::other("it is a directory")),
        None => {}
    }
    let path = target(path);
    let folder = folder(&path);
    fs::metadata(&folder)?;
    let name = format!(".lakatos-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let beside = folder.join(&name);
    worker::while_writing(&beside, || put(&path, &folder, &name, text))
}

/// Writes a file under another name first. Where that is taken, a file is left of a process that
/// was killed while it wrote.
fn put(path: &Path, folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let mut beside = tempfile::Builder::new()
        .prefix(name)
        .rand_bytes(0)
        .permissions(Permissions::from_mode(PERMISSIONS))
        .tempfile_in(folder)?;
    beside.write_all(text.as_bytes())?;
    // Some file systems tell only now that there is no room.
    beside.as_file().sync_all()?;
    if let Ok(old) = fs::metadata(path) {
        beside.as_file().set_permissions(old.permissions())?;
    }
    beside.persist(path).map(drop).map_err(|error| error.error)
}

/// The common causes, with what to do. Nobody knows the file beside; errors are told without its
/// name.
fn plain(path: &Path, error: io::Error) -> io::Error {
    let folder = folder(path);
    let because = |what: String| io::Error::new(error.kind(), what);
    match error.kind() {
        io::ErrorKind::NotFound if !folder.exists() => {
            return because(format!("there is no folder {}; make it first", folder.display()));
        }
        io::ErrorKind::NotADirectory => {
            return because(format!("{} is not a folder", folder.display()));
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            return because(format!(
                "nothing may be written in {}; choose another folder",
                folder.display()
            ));
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            return because("there is no room left; choose another disk, or make room".to_owned());
        }
        _ => {}
    }
    match error.get_ref() {
        Some(inner) if inner.to_string().contains(".lakatos-") => io::Error::from(error.kind()),
        _ => error,
    }
}

/// Neither a file nor nothing: true for a pipe or a device, false for a folder.
fn special(path: &Path) -> Option<bool> {
    let kind = fs::metadata(path).ok()?.file_type();
    if kind.is_file() { None } else { Some(!kind.is_dir()) }
}

/// What a link leads to is replaced, not the link.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Where a file is.
pub fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_files_links_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, sub] = ["out.json", "link", "sub"].map(|name| dir.path().join(name));
        write(&file, "one").unwrap();
        write(&file, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        std::os::unix::fs::symlink("out.json", &link).unwrap();
        write(&link, "three").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "three");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::create_dir(&sub).unwrap();
        for bad in [sub.clone(), dir.path().join("absent/out.json"), file.join("below")] {
            assert!(ensure_possible(&bad).is_err(), "{bad:?}");
            let error = write(&bad, "four").unwrap_err();
            assert!(!format!("{error:#}").contains(".lakatos-"), "{error:#}");
        }
        assert!(ensure_possible(Path::new("/dev/null")).is_ok());
        write(Path::new("/dev/null"), "five").unwrap();
        assert_eq!(names(dir.path()), ["link", "out.json", "sub"]);
    }

    #[test]
    fn a_new_file_can_be_read_as_the_mask_says_and_an_old_one_as_before() {
        let dir = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["ours", "theirs"].map(|name| dir.path().join(name));
        fs::write(&theirs, "").unwrap();
        write(&ours, "x").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&ours), mode(&theirs));
        fs::set_permissions(&ours, Permissions::from_mode(0o640)).unwrap();
        write(&ours, "y").unwrap();
        assert_eq!(mode(&ours), 0o640);
    }

    /// A disk that is full, as far as a device can show it.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_cannot_be_written_is_told() {
        assert!(write(Path::new("/dev/full"), "text").is_err());
    }
}
