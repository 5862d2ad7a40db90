//! Depth bombs: inputs nested so deep that a recursive parser would fall over.

/// Their names.
pub const BOMBS: &[&str] = &[
    "parens",
    "open-parens",
    "blocks",
    "open-blocks",
    "unary",
    "not",
    "deref",
    "casts",
    "pointers",
    "braces",
    "open-braces",
    "ternaries",
    "else-ifs",
    "nested-ifs",
    "declarators",
    "functions",
    "arrays",
    "indices",
    "structs",
    "sum",
    "right-sum",
    "comma",
    "calls",
    "loops",
    "labels",
    "switches",
    "sizeof",
    "statement-expressions",
    "members",
    "assignments",
    "attributes",
    "strings",
    "logic",
    "shifts",
    "designators",
    "typeof",
    "params",
    "many-declarators",
];

/// The text of a bomb.
pub fn bomb(name: &str, depth: usize) -> Option<String> {
    let inside = |head: &str, open: &str, middle: &str, close: &str, tail: &str| {
        let mut text =
            String::with_capacity(depth * (open.len() + close.len()) + head.len() + tail.len() + 9);
        text.push_str(head);
        text.extend(std::iter::repeat_n(open, depth));
        text.push_str(middle);
        text.extend(std::iter::repeat_n(close, depth));
        text.push_str(tail);
        text
    };
    let value = |open: &str, middle: &str, close: &str| {
        inside("int main(void) { int x = 0, *p = &x; return ", open, middle, close, "; }\n")
    };
    let statement = |open: &str, middle: &str, close: &str| {
        inside("int main(void) { int x = 0; ", open, middle, close, " return x; }\n")
    };
    let outside = |open: &str, middle: &str, close: &str, tail: &str| {
        inside("", open, middle, close, &format!("{tail}\nint main(void) {{ return 0; }}\n"))
    };
    Some(match name {
        "parens" => value("(", "1", ")"),
        "open-parens" => inside("", "(", "", "", ""),
        "blocks" => statement("{", ";", "}"),
        "open-blocks" => inside("int main(void) ", "{", "", "", ""),
        "unary" => value("- ", "x", ""),
        "not" => value("!", "x", ""),
        "deref" => value("*&", "x", ""),
        "casts" => value("(int)", "x", ""),
        "pointers" => outside("", "int ", "*", "q;"),
        "braces" => {
            outside("", "int a[1] = ", "", "") + &inside("int b[1] = ", "{", "1", "}", ";\n")
        }
        "open-braces" => inside("int a[] = ", "{", "", "", ""),
        "ternaries" => value("x ? 1 : ", "2", ""),
        "else-ifs" => statement("if (x) x = 1; else ", "x = 2;", ""),
        "nested-ifs" => statement("if (x) ", "x = 2;", ""),
        "declarators" => inside("int ", "(", "x", ")", "; int main(void) { return 0; }\n"),
        "functions" => inside("int ", "(*", "f", ")(void)", "; int main(void) { return 0; }\n"),
        "arrays" => inside("extern int a", "[1]", "", "", "; int main(void) { return 0; }\n"),
        "indices" => value("p[", "0", "]"),
        "structs" => outside("struct { ", "int x; ", "} s; ", "") + ";\n",
        "sum" => value("1+", "1", ""),
        "right-sum" => value("1+(", "1", ")"),
        "comma" => value("1,", "1", ""),
        "calls" => "int f(int x) { return x; }\n".to_string() + &value("f(", "1", ")"),
        "loops" => statement("while (x) ", ";", ""),
        "labels" => {
            let labels: String = (0..depth).map(|n| format!("l{n}: ")).collect();
            format!("int main(void) {{ {labels}; return 0; }}\n")
        }
        "switches" => statement("switch (x) { case 1: ", ";", "}"),
        "sizeof" => value("sizeof ", "x", ""),
        "statement-expressions" => value("({ ", "1", "; })"),
        "members" => {
            "struct s { struct s *n; int v; } g; ".to_string() + &value("", "g", ".n->n[0]")
        }
        "assignments" => value("x = ", "1", ""),
        "attributes" => outside("__attribute__((unused)) ", "int y", "", ";"),
        "strings" => outside("", "char *s = \"\"", " \"a\"", ";"),
        "logic" => value("x && ", "1", " || x"),
        "shifts" => value("x << 0", "", " << 0"),
        "designators" => {
            inside("int a[1] = {", "[0]", "= 1", "", "}; int main(void) { return 0; }\n")
        }
        "typeof" => inside("int main(void) { int x = 0; ", "__typeof__(", "x", ")", " y; }\n"),
        "params" => inside("int f", "(int g", "", ")", "; int main(void) { return 0; }\n"),
        "many-declarators" => outside("", "int x0", ", *x", ";"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_text() {
        for name in BOMBS {
            assert!(bomb(name, 3).is_some_and(|text| !text.is_empty()), "{name}");
        }
    }
}
