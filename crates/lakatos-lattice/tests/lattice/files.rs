//! Contracts files: what is read, and what is refused with its place.

use expect_test::{Expect, expect};
use lakatos_lattice::file;
use lakatos_lattice::merge::{Client, Recheck, merge, recheck, to_json};
use lakatos_logic::smt::Smt;

use crate::contracts;

fn refused(text: &str, expected: Expect) {
    let message = match file::read(text) {
        Ok(_) => "read".to_owned(),
        Err(malformed) => malformed.to_string(),
    };
    expected.assert_eq(&message);
}

#[test]
fn what_is_no_contracts_file_is_refused() {
    refused("", expect!["1:1: EOF while parsing a value"]);
    refused("{\n  \"program\": }", expect!["2:14: expected value"]);
    refused(
        r#"{"functions": []}"#,
        expect!["1:1: a contracts file has either `program` or `programs`"],
    );
    refused(
        r#"{"program": {"file": "a.c", "sha256": "0", "data_model": "x"}, "functions": []}"#,
        expect!["1:1: `x` is no data model; write lp64 or ilp32"],
    );
    let head = r#"{"program": {"file": "a.c", "sha256": "0"}, "functions": ["#;
    refused(
        &format!("{head}\n  {{\"name\": \"f\"}}]}}"),
        expect!["2:15: missing field `parameters`"],
    );
    refused(
        &format!("{head}\n  {{\"name\": \"f\", \"parameters\": [],\n   \"requires\": [3]}}]}}"),
        expect!["3:17: invalid type: integer `3`, expected a string"],
    );
    refused(
        &format!(
            "{head}\n {{\"name\": \"f\", \"parameters\": []}},\n {{\"name\": \"f\", \"parameters\": []}}]}}"
        ),
        expect!["3:2: `f` has two contracts in one file; put them in two files"],
    );
}

/// What merging one file with itself says.
fn unreadable(function: &str, expected: Expect) {
    let given = contracts(function);
    let client = Client { file: "a.json", contracts: &given };
    let message = match merge(&[client], &mut Smt::default()) {
        Ok(_) => "merged".to_owned(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&message);
}

#[test]
fn clauses_that_mean_nothing_are_refused_with_their_place() {
    unreadable(
        r#"{"name": "f", "parameters": [{"name": "x", "type": "int"}], "result": "int",
            "requires": ["x > 0"], "ensures": ["\\result > y"]}"#,
        expect![[r#"a.json:2:48: `y` means nothing there (at character 11 of `\result > y`)"#]],
    );
    unreadable(
        r#"{"name": "f", "parameters": [{"name": "x", "type": "int"}],
            "requires": ["\\result > 0"]}"#,
        expect![[r#"a.json:2:26: there is no result here (at character 1 of `\result > 0`)"#]],
    );
    unreadable(
        r#"{"name": "f", "parameters": [{"name": "x; int y", "type": "int"}]}"#,
        expect!["a.json:1:60: `x; int y` is no name in C"],
    );
    unreadable(
        r#"{"name": "f", "parameters": [{"name": "p", "type": "int *"}], "requires": ["p > 0"]}"#,
        expect!["a.json:1:135: `p` means nothing there (at character 1 of `p > 0`)"],
    );
}

#[test]
fn another_signature_is_refused() {
    let one = contracts(
        r#"{"name": "f", "parameters": [{"name": "x", "type": "int"}], "result": "int"}"#,
    );
    for (other, expected) in [
        (r#"{"name": "f", "parameters": [], "result": "int"}"#, "0 parameters instead of 1"),
        (
            r#"{"name": "f", "parameters": [{"name": "x", "type": "long"}], "result": "int"}"#,
            "`x` is `long`, not `int`",
        ),
        (
            r#"{"name": "f", "parameters": [{"name": "x", "type": "signed int"}]}"#,
            "the result is `void`, not `int`",
        ),
    ] {
        let other = contracts(other);
        let clients = [
            Client { file: "a.json", contracts: &one },
            Client { file: "b.json", contracts: &other },
        ];
        let refused = merge(&clients, &mut Smt::default()).expect_err("another signature");
        let message = refused.to_string();
        assert!(message.starts_with("b.json:1:"), "{message}");
        assert!(message.contains(expected), "{message}");
        assert!(recheck(clients[0], clients[1], &mut Smt::default()).is_err());
    }
}

#[test]
fn what_is_written_is_read_again() {
    let function = |requires: &str, ensures: &str, assigns: &str| {
        contracts(&format!(
            r#"{{"name": "f", "parameters": [{{"name": "x", "type": "int"}}], "result": "int",
                 "globals": [{{"name": "g", "type": "unsigned int"}}, {{"name": "h", "type": "int"}}],
                 "requires": ["{requires}"], "ensures": ["{ensures}"], "assigns": [{assigns}]}}"#
        ))
    };
    let one = function("x > 0 && g < 5", "g == \\\\old(g) + 1 && \\\\result == x", "\"g\"");
    let other = function("x < 0", "\\\\result == -x && h == 1", "\"h\", \"*p\"");
    let clients =
        [Client { file: "a.json", contracts: &one }, Client { file: "b.json", contracts: &other }];
    let mut smt = Smt::default();
    let merged = merge(&clients, &mut smt).expect("one signature");
    let text = to_json(&clients, &merged).expect("everything has a text");
    expect![[r#"
        {
          "programs": [
            {
              "file": "c.c",
              "sha256": "00"
            }
          ],
          "functions": [
            {
              "name": "f",
              "parameters": [
                {
                  "name": "x",
                  "type": "int"
                }
              ],
              "result": "int",
              "globals": [
                {
                  "name": "g",
                  "type": "unsigned int"
                },
                {
                  "name": "h",
                  "type": "int"
                }
              ],
              "requires": [
                "(x >= 1 && g <= 4) || x <= -1"
              ],
              "ensures": [
                "(x >= 1 && \\old(g) <= 4) ==> (g == \\old(g) + 1 && \\result == x)",
                "(x >= 1 && \\old(g) <= 4) ==> (h == \\old(h))",
                "(x <= -1) ==> (x + \\result == 0 && h == 1)",
                "(x <= -1) ==> (g == \\old(g))"
              ],
              "assigns": [
                "*p",
                "g",
                "h"
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&text);
    let again = file::read(&text).expect("what is written is read");
    let again = Client { file: "merged.json", contracts: &again };
    let found = clients.map(|client| recheck(client, again, &mut smt).expect("one signature"));
    // Of memory only names are known, so `*p` is news to the first client.
    let changes = Recheck::Changes(vec!["*p".to_owned()]);
    assert_eq!(found[0], [("f".to_owned(), changes)]);
    assert_eq!(found[1], [("f".to_owned(), Recheck::NotNeeded)]);
}
