//! Contracts of several clients as one.

use expect_test::{Expect, expect};
use lakatos_lattice::file::Contracts;
use lakatos_lattice::merge::{Client, Recheck, merge, recheck, to_json};
use lakatos_logic::smt::Smt;

use crate::contracts;

fn function(name: &str, parameters: &[&str], requires: &str, ensures: &str) -> Contracts {
    let declared: Vec<String> =
        parameters.iter().map(|p| format!(r#"{{"name": "{p}", "type": "int"}}"#)).collect();
    let clauses = |text: &str| match text {
        "" => String::new(),
        text => format!("\"{}\"", text.replace('\\', "\\\\")),
    };
    contracts(&format!(
        r#"{{"name": "{name}", "parameters": [{}], "result": "int", "requires": [{}],
             "ensures": [{}], "assigns": ["\\nothing"]}}"#,
        declared.join(", "),
        clauses(requires),
        clauses(ensures)
    ))
}

/// The ACSL of contracts with their files, and the notes.
fn check(given: &[(&str, Contracts)], expected: Expect) {
    let clients: Vec<Client<'_>> =
        given.iter().map(|(file, contracts)| Client { file, contracts }).collect();
    let mut smt = Smt::default();
    let merged = merge(&clients, &mut smt).expect("one signature");
    let mut text = String::new();
    for merged in &merged {
        text.push_str(&merged.acsl());
        for note in &merged.notes {
            text.push_str(&format!("note: {note}\n"));
        }
    }
    expected.assert_eq(&text);
    // No client has to be checked again with what is written.
    let json = to_json(&clients, &merged).expect("everything has a text");
    let library = lakatos_lattice::file::read(&json).expect("what is written is read");
    let library = Client { file: "merged.json", contracts: &library };
    for client in clients {
        for (function, found) in recheck(client, library, &mut smt).expect("one signature") {
            assert_eq!(found, Recheck::NotNeeded, "{function} of {}:\n{json}", client.file);
        }
    }
}

#[test]
fn listing_5_4_cmp_with_three_behaviours() {
    let cmp = |requires, ensures| function("cmp", &["a", "b"], requires, ensures);
    check(
        &[
            ("eq.json", cmp("b == a", "\\result == 0 && \\old(b) == \\old(a)")),
            ("lt.json", cmp("b - a >= 1", "\\result == -1")),
            ("gt.json", cmp("a - b >= 1", "\\result == 1")),
        ],
        expect![[r#"
            /*@
              assigns \nothing;
              behavior from_eq:
                assumes b == a;
                ensures \result == 0;
              behavior from_lt:
                assumes a < b;
                ensures \result == -1;
              behavior from_gt:
                assumes b < a;
                ensures \result == 1;
              complete behaviors;
              disjoint behaviors;
            */
            int cmp(int a, int b);
        "#]],
    );
}

#[test]
fn section_5_3_cmp_for_single_values() {
    let cmp = |requires, ensures| function("cmp", &["a", "b"], requires, ensures);
    check(
        &[
            (
                "clients/five.json",
                cmp("b == 5 && a == 5", "\\result == 0 && \\old(b) == 5 && \\old(a) == 5"),
            ),
            (
                "clients/seven.json",
                cmp("b == 7 && a == 5", "\\result == -1 && \\old(b) == 7 && \\old(a) == 5"),
            ),
        ],
        expect![[r#"
            /*@
              requires a == 5 && (b == 5 || b == 7);
              assigns \nothing;
              behavior from_five:
                assumes b == 5 && a == 5;
                ensures \result == 0;
              behavior from_seven:
                assumes a == 5 && b == 7;
                ensures \result == -1;
              complete behaviors;
              disjoint behaviors;
            */
            int cmp(int a, int b);
        "#]],
    );
}

#[test]
fn section_5_2_mccarthy_91_under_three_harnesses() {
    let mc91 = |ensures| function("mc91", &["n"], "", ensures);
    let full = "(\\result - \\old(n) != -10 || \\old(n) >= 101) && \
                (\\result != 91 || 101 >= \\old(n)) && \
                (\\result - \\old(n) == -10 || \\result == 91)";
    check(
        &[
            ("positive.json", mc91("\\result >= 91")),
            (
                "either.json",
                mc91("\\result == 91 || (\\result - \\old(n) == -10 && \\old(n) >= 101)"),
            ),
            ("both.json", mc91(full)),
        ],
        expect![[r#"
            /*@
              assigns \nothing;
              ensures (n == \result + 10 ==> n >= 101) && (\result == 91 ==> n <= 101) && (\result == 91 || n == \result + 10);
            */
            int mc91(int n);
        "#]],
    );
}

#[test]
fn behaviours_that_overlap_are_not_disjoint() {
    let abs = |requires, ensures| function("abs", &["x"], requires, ensures);
    check(
        &[
            ("up.json", abs("x >= 0", "\\result == x")),
            ("down.json", abs("x <= 0", "\\result == -x")),
            ("five.json", abs("x == 5", "\\result == 5")),
        ],
        expect![[r#"
            /*@
              assigns \nothing;
              behavior from_up:
                assumes x >= 0;
                ensures \result == x;
              behavior from_down:
                assumes x <= 0;
                ensures x + \result == 0;
              complete behaviors;
            */
            int abs(int x);
        "#]],
    );
}

#[test]
fn contradictions_are_told() {
    let abs = |requires, ensures| function("abs", &["x"], requires, ensures);
    let clients =
        [("c1.json", abs("x == 5", "\\result == 5")), ("c2.json", abs("x == 5", "\\result == 6"))];
    check(
        &clients,
        expect![[r#"
        /*@
          requires x == 5;
          assigns \nothing;
          ensures \result == 5;
          ensures \result == 6;
        */
        int abs(int x);
        note: c1.json and c2.json contradict each other about `abs`: where both apply (x = 5), no result satisfies both
    "#]],
    );
}

#[test]
fn parameters_may_have_other_names() {
    check(
        &[
            ("one.json", function("f", &["x", "y"], "x < y", "\\result == y")),
            ("two.json", function("f", &["y", "x"], "x <= y", "\\result == y")),
        ],
        expect![[r#"
            /*@
              assigns \nothing;
              behavior from_one:
                assumes x < y;
                ensures \result == y;
              behavior from_two:
                assumes y <= x;
                ensures \result == x;
              complete behaviors;
              disjoint behaviors;
            */
            int f(int x, int y);
        "#]],
    );
}

#[test]
fn clients_are_checked_again_where_the_library_promises_less() {
    let abs = |requires, ensures| function("abs", &["x"], requires, ensures);
    let client = abs("x >= 0", "\\result == x");
    for (library, expected) in [
        (abs("x > -10", "\\result >= 0 && (x >= 0 ==> \\result == x)"), "NotNeeded"),
        (abs("x > 0", "\\result == x"), "Needed"),
        (abs("", "\\result >= 0"), "Needed"),
    ] {
        let client = Client { file: "client.json", contracts: &client };
        let library = Client { file: "library.json", contracts: &library };
        let found = recheck(client, library, &mut Smt::default()).expect("one signature");
        let found = format!("{:?}", found[0].1);
        assert_eq!(found.split('(').next(), Some(expected), "{found}");
    }
}
