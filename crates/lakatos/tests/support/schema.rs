//! A checker for JSON schemas, as far as the published ones go. A keyword that it does not know
//! fails the test: it is never passed over.

use serde_json::Value;

/// What is wrong with a value, each with its place. Fields that the schema does not describe are
/// wrong, too: the schema has to say everything.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    Checker { root: schema, errors: &mut errors }.check(schema, value, "$", true);
    errors
}

struct Checker<'a> {
    root: &'a Value,
    errors: &'a mut Vec<String>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str, closed: bool) {
        let rules = schema.as_object().unwrap_or_else(|| panic!("no schema: {schema}"));
        for (keyword, rule) in rules {
            let holds = match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" => true,
                "const" => value == rule,
                "enum" => list(rule).contains(value),
                "type" => has_type(value, rule.as_str().unwrap()),
                "minimum" => value.as_f64().is_none_or(|n| n >= rule.as_f64().unwrap()),
                "minLength" => {
                    value.as_str().is_none_or(|s| s.chars().count() as u64 >= count(rule))
                }
                "minItems" => value.as_array().is_none_or(|a| a.len() as u64 >= count(rule)),
                "maxItems" => value.as_array().is_none_or(|a| a.len() as u64 <= count(rule)),
                "required" => list(rule).iter().all(|n| value.get(n.as_str().unwrap()).is_some()),
                "oneOf" => list(rule).iter().filter(|s| self.holds(s, value)).count() == 1,
                "if" => {
                    let branch = if self.holds(rule, value) { "then" } else { "else" };
                    rules.get(branch).is_none_or(|schema| self.holds(schema, value))
                }
                "then" | "else" => true,
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}[{index}]"), closed);
                    }
                    true
                }
                "properties" => {
                    self.properties(rule, value, at, closed);
                    true
                }
                "$ref" => {
                    let path = rule.as_str().unwrap().strip_prefix('#').expect("a local reference");
                    let target = self.root.pointer(path).expect("the reference leads somewhere");
                    self.check(target, value, at, closed);
                    true
                }
                unknown => panic!("the keyword {unknown} is not known here"),
            };
            if !holds {
                self.errors.push(format!("{at}: {keyword} does not hold of {value}"));
            }
        }
    }

    fn properties(&mut self, rule: &Value, value: &Value, at: &str, closed: bool) {
        for (name, field) in value.as_object().into_iter().flatten() {
            match rule.get(name) {
                Some(schema) => self.check(schema, field, &format!("{at}.{name}"), closed),
                None if closed => self.errors.push(format!("{at}.{name} is not described")),
                None => {}
            }
        }
    }

    fn holds(&self, schema: &Value, value: &Value) -> bool {
        let mut errors = Vec::new();
        Checker { root: self.root, errors: &mut errors }.check(schema, value, "", false);
        errors.is_empty()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).expect("a list")
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the type {other} is not known here"),
    }
}
