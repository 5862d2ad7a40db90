//! The index of the benchmark tasks, as far as tools of the project look at it.

use anyhow::{Context, Result};
use lakatos_ir::DataModel;

/// A task has only integers when none of these flags is set.
pub const BEYOND_INTEGERS: [&str; 9] =
    ["arrays", "pointers", "structs", "malloc", "float", "strings", "funptr", "threads", "asm"];

/// A line of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub file: String,
    pub property: String,
    /// `true` or `false`.
    pub verdict: String,
    pub model: DataModel,
    /// What signed overflow means: `ub` or `wrap`.
    pub semantics: String,
    /// There is nothing but integers in it.
    pub integers: bool,
}

/// Reads `index.tsv`.
pub fn read(index: &str) -> Result<Vec<Entry>> {
    let mut lines = index.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        header.iter().position(|h| *h == name).with_context(|| format!("no column {name}"))
    };
    let (file, property, verdict) = (column("file")?, column("property")?, column("verdict")?);
    let (model, semantics) = (column("data_model")?, column("semantics")?);
    let beyond: Vec<usize> = BEYOND_INTEGERS.into_iter().map(column).collect::<Result<_>>()?;
    let mut found = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().with_context(|| line.to_owned());
        let mut integers = true;
        for flag in &beyond {
            integers &= cell(*flag)? == "0";
        }
        found.push(Entry {
            file: cell(file)?.to_owned(),
            property: cell(property)?.to_owned(),
            verdict: cell(verdict)?.to_owned(),
            model: match cell(model)? {
                "ILP32" => DataModel::Ilp32,
                _ => DataModel::Lp64,
            },
            semantics: cell(semantics)?.to_owned(),
            integers,
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names() {
        let beyond = BEYOND_INTEGERS.join("\t");
        let zeros = ["0"; BEYOND_INTEGERS.len()].join("\t");
        let index = format!(
            "category\tfile\tproperty\tverdict\tdata_model\tsemantics\t{beyond}\n\
             loops\tloops/a.c\tunreach-call\ttrue\tILP32\tub\t{zeros}\n\
             loops\tloops/b.c\tno-overflow\tfalse\tLP64\twrap\t1{}\n",
            &zeros[1..]
        );
        let found = read(&index).unwrap();
        assert_eq!((found[0].file.as_str(), found[0].model), ("loops/a.c", DataModel::Ilp32));
        assert_eq!([found[0].integers, found[1].integers], [true, false]);
        assert_eq!((found[1].verdict.as_str(), found[1].semantics.as_str()), ("false", "wrap"));
        assert!(read("category\tfile\n").is_err());
        assert!(read(&format!("{}\nloops\n", index.lines().next().unwrap())).is_err());
    }
}
