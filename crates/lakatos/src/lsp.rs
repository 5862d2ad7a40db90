//! `lakatos lsp`: a language server that verifies files when they are opened and saved.
//!
//! The server itself proves nothing: it starts `lakatos verify --json -` and shows what that says
//! ([`report`]). A newer save ends the older process, so what is shown is about the file as it is.

mod report;
mod uri;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow};
use lsp_server::{Connection, Message, Notification, Response};
use lsp_types::notification::{
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::{
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    InitializeParams, PositionEncodingKind, PublishDiagnosticsParams, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};

use self::report::Units;
use crate::args::LspArgs;
use crate::exit::Exit;

pub fn lsp(args: &LspArgs) -> Result<Exit> {
    let (connection, threads) = Connection::stdio();
    let units = greet(&connection).context("the editor did not begin as it should")?;
    let server =
        Server { args, units, sender: connection.sender.clone(), running: BTreeMap::new() };
    let ended = server.serve(&connection);
    drop(connection);
    threads.join()?;
    ended.map(|()| Exit::Good)
}

/// Says what the server can do, and agrees on how columns are counted.
fn greet(connection: &Connection) -> Result<Units> {
    let (id, parameters) = connection.initialize_start()?;
    let parameters: InitializeParams = serde_json::from_value(parameters)?;
    let offered = parameters.capabilities.general.and_then(|g| g.position_encodings);
    // Ours are characters; UTF-16 is what everybody has to know.
    let units = match offered.unwrap_or_default().contains(&PositionEncodingKind::UTF32) {
        true => Units::Characters,
        false => Units::Utf16,
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(match units {
            Units::Characters => PositionEncodingKind::UTF32,
            Units::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::NONE),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                include_text: Some(false),
            })),
            ..TextDocumentSyncOptions::default()
        })),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo {
        name: "lakatos".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
    };
    let answer = serde_json::json!({ "capabilities": capabilities, "serverInfo": info });
    connection.initialize_finish(id, answer)?;
    Ok(units)
}

struct Server<'a> {
    args: &'a LspArgs,
    units: Units,
    sender: crossbeam_channel::Sender<Message>,
    /// By the names of files.
    running: BTreeMap<String, Job>,
}

/// A file that is being verified.
struct Job {
    /// Taken when it is ended or has ended: what it says then interests nobody.
    child: Arc<Mutex<Option<Child>>>,
    thread: thread::JoinHandle<()>,
}

impl Server<'_> {
    fn serve(mut self, connection: &Connection) -> Result<()> {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => {
                    if connection.handle_shutdown(&request)? {
                        self.end_all();
                        return Ok(());
                    }
                    let code = lsp_server::ErrorCode::MethodNotFound as i32;
                    let answer = Response::new_err(request.id, code, "not supported".to_owned());
                    connection.sender.send(answer.into())?;
                }
                Message::Notification(said) => self.listen(said)?,
                Message::Response(_) => {}
            }
        }
        self.end_all();
        Err(anyhow!("the editor went away without a goodbye"))
    }

    fn listen(&mut self, said: Notification) -> Result<()> {
        match said.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let said: DidOpenTextDocumentParams = serde_json::from_value(said.params)?;
                self.verify(said.text_document.uri)
            }
            DidSaveTextDocument::METHOD => {
                let said: DidSaveTextDocumentParams = serde_json::from_value(said.params)?;
                self.verify(said.text_document.uri)
            }
            DidCloseTextDocument::METHOD => {
                let said: DidCloseTextDocumentParams = serde_json::from_value(said.params)?;
                let uri = said.text_document.uri;
                self.end(uri.as_str());
                send(&self.sender, uri, Vec::new());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Begins anew with a file.
    fn verify(&mut self, uri: Uri) -> Result<()> {
        let name = uri.as_str().to_owned();
        self.end(&name);
        // Something that is in no file cannot be read.
        let Some(path) = uri::path(&name) else { return Ok(()) };
        let mut child = self.command(&path)?.spawn().context("cannot start another process")?;
        let output = child.stdout.take().context("its output is piped")?;
        let child = Arc::new(Mutex::new(Some(child)));
        let (sender, units, own) = (self.sender.clone(), self.units, Arc::clone(&child));
        let started = thread::Builder::new().spawn(move || {
            let mut text = String::new();
            let mut output = output;
            let read = output.read_to_string(&mut text);
            let Some(mut child) = take(&own) else { return };
            let _ = child.wait();
            let found = match read {
                Ok(_) => report::diagnostics(&text, &path, units),
                Err(_) => Vec::new(),
            };
            send(&sender, uri, found);
        });
        let thread = match started {
            Ok(thread) => thread,
            Err(error) => {
                if let Some(mut child) = take(&child) {
                    let _ = child.kill();
                    let _ = child.wait();
                }
                return Err(error).context("cannot start another thread");
            }
        };
        self.running.insert(name, Job { child, thread });
        Ok(())
    }

    fn command(&self, path: &PathBuf) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["verify", "--json", "-", "--quiet"]);
        command.arg(format!("--timeout={}", self.args.timeout.as_secs_f64()));
        for property in &self.args.properties {
            command.arg(format!("--property={property}"));
        }
        command.args(&self.args.options).arg("--").arg(path);
        // What it says besides is for no terminal.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(command)
    }

    fn end(&mut self, name: &str) {
        let Some(Job { child, thread }) = self.running.remove(name) else { return };
        if let Some(mut child) = take(&child) {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = thread.join();
    }

    fn end_all(&mut self) {
        for name in self.running.keys().cloned().collect::<Vec<_>>() {
            self.end(&name);
        }
    }
}

fn take(child: &Mutex<Option<Child>>) -> Option<Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// An editor that is gone needs to know nothing.
fn send(sender: &crossbeam_channel::Sender<Message>, uri: Uri, found: Vec<lsp_types::Diagnostic>) {
    let parameters = PublishDiagnosticsParams { uri, diagnostics: found, version: None };
    let method = PublishDiagnostics::METHOD.to_owned();
    let _ = sender.send(Notification::new(method, parameters).into());
}
