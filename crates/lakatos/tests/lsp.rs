//! The language server as an editor sees it: messages over standard input and output.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use support::Sandbox;

struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Editor {
    /// Starts the server and greets it.
    fn new(args: &[&str], encodings: Value) -> (Editor, Value) {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lakatos"))
            .arg("lsp")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut editor = Editor { child, input, output };
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        editor.send(json!({
            "id": 1, "method": "initialize",
            "params": { "processId": null, "rootUri": null, "capabilities": capabilities },
        }));
        let answer = editor.receive();
        editor.send(json!({ "method": "initialized", "params": {} }));
        (editor, answer["result"].clone())
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
            match line.trim_end() {
                "" => break,
                header => {
                    if let Some(number) = header.strip_prefix("Content-Length: ") {
                        length = number.parse().unwrap();
                    }
                }
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn open(&mut self, path: &Path) {
        let uri = format!("file://{}", path.display());
        let text = std::fs::read_to_string(path).unwrap();
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn save(&mut self, path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
        let uri = format!("file://{}", path.display());
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(json!({ "method": method, "params": parameters }));
    }

    /// The diagnostics that come next.
    fn diagnostics(&mut self) -> Vec<Value> {
        let message = self.receive();
        assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn goodbye(mut self) -> i32 {
        self.send(json!({ "id": 9, "method": "shutdown" }));
        assert_eq!(self.receive()["id"], 9);
        self.tell("exit", json!(null));
        drop(self.input.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

const BROKEN: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    /* 𝄞 */ if (x == 7) reach_error();
    return 0;
}
";

#[test]
fn a_session() {
    let sandbox = Sandbox::new().file("a.c", BROKEN);
    let path = sandbox.path("a.c");
    let (mut editor, said) = Editor::new(&[], json!(["utf-16"]));
    assert_eq!(said["serverInfo"]["name"], "lakatos");
    assert_eq!(said["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(said["capabilities"]["textDocumentSync"]["openClose"], true);

    editor.open(&path);
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(1), &json!("unreach-call")));
    assert_eq!(found[0]["message"], "`reach_error` is called");
    // The clef before it is two units.
    let range =
        json!({ "start": { "line": 4, "character": 25 }, "end": { "line": 4, "character": 38 } });
    assert_eq!(found[0]["range"], range);
    let related = found[0]["relatedInformation"].as_array().unwrap();
    let told: Vec<(&str, u64)> = related
        .iter()
        .map(|part| {
            let line = part["location"]["range"]["start"]["line"].as_u64().unwrap();
            (part["message"].as_str().unwrap(), line)
        })
        .collect();
    assert_eq!(told, [("input: __VERIFIER_nondet_int() = 7", 3), ("main: x = 7", 3)]);
    assert_eq!(related[0]["location"]["uri"], format!("file://{}", path.display()));

    // Repaired, then no C at all, then something that is not supported.
    editor.save(&path, &BROKEN.replace("x == 7", "x == 7 && x == 8"));
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    editor.save(&path, "int main(void) { return 0 }\n");
    let found = editor.diagnostics();
    assert_eq!((found.len(), &found[0]["severity"]), (1, &json!(1)), "{found:?}");
    editor.save(
        &path,
        "typedef int v __attribute__((vector_size(12))); int main(void) { return 0; }\n",
    );
    let severities: Vec<Value> =
        editor.diagnostics().iter().map(|found| found["severity"].clone()).collect();
    assert_eq!(severities, [json!(2), json!(3)]);
    std::fs::remove_file(&path).unwrap();
    let uri = format!("file://{}", path.display());
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let found = editor.diagnostics();
    assert!(found[0]["message"].as_str().unwrap().contains("could not read"), "{found:?}");
    // A file that is closed has nothing to show; what is in no file is passed over.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": "untitled:1" } }));
    editor.send(json!({ "id": 5, "method": "textDocument/hover", "params": {} }));
    assert_eq!(editor.receive()["error"]["code"], -32601);
    assert_eq!(editor.goodbye(), 0);
}

/// Flags are those of `verify`, and an editor that counts characters gets characters.
#[test]
fn flags_and_characters() {
    let sandbox = Sandbox::new().file("a.c", BROKEN);
    let (mut editor, said) =
        Editor::new(&["--property", "all", "--", "--32"], json!(["utf-8", "utf-32"]));
    assert_eq!(said["capabilities"]["positionEncoding"], "utf-32");
    editor.open(&sandbox.path("a.c"));
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "the other properties are proved: {found:?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 4, "character": 24 }));
    assert_eq!(editor.goodbye(), 0);
}

/// A newer save ends what an older one began: what is shown is about the file as it is.
#[test]
fn a_newer_save_wins() {
    // Nothing ends this one but its limit.
    let slow = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = 1;
    for (unsigned i = 0; i < b; i++) c = c * a + (c ^ i) % 7919;
    if (c * c * 3 + c == 4093082899u) reach_error();
    return 0;
}
";
    let sandbox = Sandbox::new().file("a.c", slow);
    let path = sandbox.path("a.c");
    let (mut editor, _) = Editor::new(&["--timeout", "600"], json!(["utf-16"]));
    editor.open(&path);
    for text in [slow, BROKEN] {
        editor.save(&path, text);
    }
    assert_eq!(editor.diagnostics().len(), 1);
    // Nor does a goodbye wait for it.
    editor.save(&path, slow);
    assert_eq!(editor.goodbye(), 0);
}

#[test]
fn an_editor_that_is_gone() {
    let (mut editor, _) = Editor::new(&[], json!(["utf-16"]));
    drop(editor.input.take());
    assert_eq!(editor.child.wait().unwrap().code(), Some(3));
}
