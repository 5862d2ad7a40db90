//! Names of files as editors write them: `file:///a%20b.c`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The file that is meant; none for what is in no file.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // There may be the name of this machine.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

/// An absolute path for an editor.
pub fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for name in ["/a.c", "/a b/é%41+#?.c", "/100%.c"] {
            assert_eq!(path(&uri(Path::new(name))).unwrap(), Path::new(name));
        }
        assert_eq!(path("file://localhost/a%20b.c").unwrap(), Path::new("/a b.c"));
        assert_eq!(path("file:///a%zz%4").unwrap(), Path::new("/a%zz%4"));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file://"), None);
    }
}
