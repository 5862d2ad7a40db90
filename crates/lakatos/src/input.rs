//! From a path to text: every way in which a file can be unusable gets its own message.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::scan::{self, Kind};

/// Larger files are refused: spans are 32 bits wide, and no person wrote such a file.
const MAX_BYTES: u64 = 1 << 30;

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = bytes(path)?;
    ensure!(!bytes.is_empty(), "{} is empty: there is no program to look at", display_name(path));
    Ok(bytes)
}

/// The same of what is no program, and may be empty.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let bytes = match path.to_str() {
        Some("-") => read_limited(io::stdin().lock()),
        _ => open(path).and_then(read_limited),
    };
    bytes.map_err(plain).with_context(|| format!("cannot read {}", display_name(path)))
}

/// A path as diagnostics name it.
pub fn display_name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "<stdin>".to_owned(),
        _ => path.display().to_string(),
    }
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory; give a C file or a task file (.yml)"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(too_large());
    }
    Ok(file)
}

fn read_limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// The common causes without the operating system's number.
fn plain(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("there is no such file"),
        io::ErrorKind::PermissionDenied => io::Error::other("permission denied"),
        _ => error,
    }
}

fn too_large() -> io::Error {
    io::Error::other("it is larger than 1 GB")
}

/// Text has no NUL bytes; object files, pictures and UTF-16 do.
pub fn refuse_binary(name: &str, bytes: &[u8]) -> Result<()> {
    let Some(offset) = bytes.iter().position(|&byte| byte == 0) else { return Ok(()) };
    let (line, column) = line_column(bytes, offset);
    bail!("{name}:{line}:{column}: this is a binary file, not C source text (NUL byte)")
}

/// A text without the byte order mark that it may begin with.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// C source text from bytes. Other encodings than UTF-8 are fine inside comments, where they
/// become replacement characters; in a literal that would change the program.
pub fn decode(name: &str, mut bytes: Vec<u8>) -> Result<String> {
    let mark = bytes.len() - without_mark(&bytes).len();
    bytes.drain(..mark);
    refuse_binary(name, &bytes)?;
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let bytes = error.as_bytes();
    let outside_comments = scan::parts(bytes).filter(|(kind, _)| *kind != Kind::Comment);
    for (_, range) in outside_comments {
        if let Err(bad) = str::from_utf8(&bytes[range.clone()]) {
            let (line, column) = line_column(bytes, range.start + bad.valid_up_to());
            bail!(
                "{name}:{line}:{column}: the text is not UTF-8 here\n  \
                 Only comments may use another encoding. If it is Latin-1, convert the file:\n  \
                 iconv -f latin1 -t utf-8 {name}"
            );
        }
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// 1-based line and column, the column in characters.
pub fn line_column(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[line_start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_encodings_are_fine_in_comments_only() {
        let text = decode("a.c", b"int x; // caf\xe9\nint y;".to_vec()).unwrap();
        assert_eq!(text, "int x; // caf\u{fffd}\nint y;");
        let error = decode("a.c", b"// \xe9\nchar *s = \"caf\xe9\";".to_vec()).unwrap_err();
        assert!(error.to_string().starts_with("a.c:2:15: the text is not UTF-8 here"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(decode("a.c", b"\xEF\xBB\xBFint x;".to_vec()).unwrap(), "int x;");
    }

    #[test]
    fn nul_bytes_are_binary() {
        let error = decode("a.c", b"int x;\n\x7fELF\0".to_vec()).unwrap_err();
        assert!(error.to_string().starts_with("a.c:2:5: this is a binary file"), "{error}");
    }
}
