//! Which of the tasks to run, and which row of the table each of them counts for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, ensure};
use glob::Pattern;
use lakatos_ir::Property;

use super::tasks::{self, Task};
use crate::args;

/// Groups of SV-COMP categories by name, as patterns.
pub const GROUPS: [(&str, Property, &[&str]); 8] = [
    ("recursion73", Property::UnreachCall, &["sv15-recursive", "sv15-recursive-simple"]),
    ("recursion", Property::UnreachCall, &["recursive", "recursive-simple"]),
    (
        "loops",
        Property::UnreachCall,
        &[
            "loops",
            "loop-acceleration",
            "loop-crafted",
            "loop-industry-pattern",
            "loop-invariants",
            "loop-invgen",
            "loop-lit",
            "loop-new",
            "loop-zilu",
            "loops-crafted-1",
            "x-code2inv",
            "x-lemur",
        ],
    ),
    (
        "control",
        Property::UnreachCall,
        &["locks", "ntdrivers-simplified", "ssh-simplified", "psyco", "systemc"],
    ),
    ("eca", Property::UnreachCall, &["eca-rers2012"]),
    ("bits", Property::UnreachCall, &["bitvector", "bitvector-loops", "bitvector-regression"]),
    ("arrays", Property::UnreachCall, &["array-*", "reducercommutativity"]),
    ("overflow", Property::NoOverflow, &["*"]),
];

/// What the user wants to run.
#[derive(Debug, Default)]
pub struct Wanted {
    pub groups: Vec<String>,
    pub categories: Vec<String>,
    pub properties: Vec<Property>,
    pub names: Option<Vec<String>>,
    /// So many tasks for each row of the table.
    pub sample: Option<usize>,
}

/// A task with the row of the table that it counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub row: String,
    pub task: Task,
}

impl Wanted {
    pub fn new(args: &args::BenchRun) -> Result<Wanted> {
        let names = args.list.as_deref().map(|path: &Path| tasks::names(path)).transpose()?;
        Ok(Wanted {
            groups: args.groups.clone(),
            categories: args.categories.clone(),
            properties: args.properties.clone(),
            names,
            sample: args.sample,
        })
    }

    /// The row of a task; `None` if it is not wanted.
    fn row(&self, task: &Task) -> Option<String> {
        let by_category = self.categories.iter().any(|pattern| matches(pattern, &task.category));
        let mut groups = self.groups.iter();
        let group = groups.find(|group| in_group(group, task)).cloned();
        let property = self.properties.is_empty() || self.properties.contains(&task.property);
        let all = self.categories.is_empty() && self.groups.is_empty();
        let row = group.or_else(|| (all || by_category).then(|| task.category.clone()));
        row.filter(|_| property)
    }
}

/// A pattern that is none is a name.
fn matches(pattern: &str, category: &str) -> bool {
    pattern == category || Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(category))
}

fn in_group(name: &str, task: &Task) -> bool {
    let group = GROUPS.iter().find(|(group, ..)| *group == name);
    group.is_some_and(|(_, property, patterns)| {
        task.property == *property && patterns.iter().any(|p| matches(p, &task.category))
    })
}

/// The tasks that are wanted, in the order in which they were found.
pub fn select(tasks: Vec<Task>, wanted: &Wanted) -> Result<Vec<Chosen>> {
    if let Some(names) = &wanted.names {
        let known: BTreeSet<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        let missing = names.iter().find(|name| !known.contains(name.as_str()));
        ensure!(missing.is_none(), "no task is called {}", missing.unwrap_or(&String::new()));
    }
    let listed: Option<BTreeSet<&String>> =
        wanted.names.as_ref().map(|names| names.iter().collect());
    let is_listed = |task: &Task| listed.as_ref().is_none_or(|names| names.contains(&task.name));
    let mut chosen: Vec<Chosen> = tasks
        .into_iter()
        .filter(is_listed)
        .filter_map(|task| Some(Chosen { row: wanted.row(&task)?, task }))
        .collect();
    ensure!(!chosen.is_empty(), "no task is left to run: check the names of groups and categories");
    if let Some(size) = wanted.sample {
        let kept = sample(&chosen, size);
        let mut kept = kept.iter();
        chosen.retain(|_| *kept.next().expect("one for each"));
    }
    Ok(chosen)
}

/// Which tasks are in the sample. Each row is sampled by itself; within it every category and
/// verdict gets its share, and the hashes of the names decide who comes first. So the sample does
/// not depend on the order of the tasks, and hardly on those that are added later.
fn sample(chosen: &[Chosen], size: usize) -> Vec<bool> {
    let mut rows: BTreeMap<&str, BTreeMap<(&str, bool), Vec<usize>>> = BTreeMap::new();
    for (index, Chosen { row, task }) in chosen.iter().enumerate() {
        let strata = rows.entry(row).or_default();
        strata.entry((&task.category, task.expected)).or_default().push(index);
    }
    let mut kept = vec![false; chosen.len()];
    for strata in rows.values_mut() {
        let sizes: Vec<usize> = strata.values().map(Vec::len).collect();
        for (stratum, share) in strata.values_mut().zip(shares(&sizes, size)) {
            stratum.sort_by_key(|&i| (fingerprint(chosen[i].task.name.as_bytes()), i));
            stratum[..share].iter().for_each(|&i| kept[i] = true);
        }
    }
    kept
}

/// `size` divided in proportion to the sizes of strata, largest remainders first.
fn shares(sizes: &[usize], size: usize) -> Vec<usize> {
    let total: usize = sizes.iter().sum();
    if total <= size {
        return sizes.to_vec();
    }
    let mut shares: Vec<usize> = sizes.iter().map(|n| n * size / total).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(sizes[i] * size % total), i));
    let rest = size - shares.iter().sum::<usize>();
    order[..rest].iter().for_each(|&i| shares[i] += 1);
    shares
}

/// FNV-1a: the same on every machine and in every version.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(category: &str, name: &str, expected: bool, property: Property) -> Task {
        let name = format!("{category}/{name}");
        Task { category: category.to_owned(), ..Task::sample(&name, property, expected) }
    }

    fn tasks() -> Vec<Task> {
        let mut tasks = Vec::new();
        for n in 0..30 {
            let name = format!("{n}.c");
            tasks.push(task("loops", &name, n % 3 != 0, Property::UnreachCall));
            tasks.push(task("loop-new", &name, true, Property::UnreachCall));
            tasks.push(task("locks", &name, true, Property::UnreachCall));
            tasks.push(task("locks", &name, true, Property::NoOverflow));
        }
        tasks
    }

    fn rows(wanted: &Wanted) -> BTreeMap<String, usize> {
        let mut rows = BTreeMap::new();
        for chosen in select(tasks(), wanted).unwrap() {
            *rows.entry(chosen.row).or_default() += 1;
        }
        rows
    }

    #[track_caller]
    fn check(wanted: Wanted, expected: &[(&str, usize)]) {
        let expected = expected.iter().map(|(row, n)| (row.to_string(), *n)).collect();
        assert_eq!(rows(&wanted), expected);
    }

    #[test]
    fn filters() {
        let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        check(Wanted::default(), &[("locks", 60), ("loop-new", 30), ("loops", 30)]);
        let categories = strings(&["loop*"]);
        check(Wanted { categories, ..Wanted::default() }, &[("loop-new", 30), ("loops", 30)]);
        let categories = strings(&["*o[oc]?s"]);
        check(Wanted { categories, ..Wanted::default() }, &[("locks", 60), ("loops", 30)]);
        let groups = strings(&["loops", "overflow"]);
        check(Wanted { groups, ..Wanted::default() }, &[("loops", 60), ("overflow", 30)]);
        let properties = vec![Property::NoOverflow];
        check(Wanted { properties, ..Wanted::default() }, &[("locks", 30)]);
        let names = Some(strings(&["loops/3.c", "locks/0.c"]));
        check(Wanted { names, ..Wanted::default() }, &[("locks", 2), ("loops", 1)]);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let names = Some(vec!["loops/99.c".to_owned()]);
        let error = select(tasks(), &Wanted { names, ..Wanted::default() }).unwrap_err();
        assert_eq!(error.to_string(), "no task is called loops/99.c");
        let categories = vec!["loop".to_owned()];
        assert!(select(tasks(), &Wanted { categories, ..Wanted::default() }).is_err());
    }

    #[test]
    fn samples_are_stable_and_in_proportion() {
        let groups = vec!["loops".to_owned()];
        let wanted = Wanted { groups, sample: Some(12), ..Wanted::default() };
        let chosen = select(tasks(), &wanted).unwrap();
        let count = |category: &str, expected: bool| {
            let of = |c: &&Chosen| c.task.category == category && c.task.expected == expected;
            chosen.iter().filter(of).count()
        };
        assert_eq!([count("loops", true), count("loops", false)], [4, 2]);
        assert_eq!(count("loop-new", true), 6);
        let mut backwards = tasks();
        backwards.reverse();
        let mut again = select(backwards, &wanted).unwrap();
        again.reverse();
        assert_eq!(again, chosen);
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares(&[5, 3], 10), [5, 3]);
        assert_eq!(shares(&[10, 10, 10], 10), [4, 3, 3]);
        assert_eq!(shares(&[97, 1, 2], 10), [10, 0, 0]);
        assert_eq!(shares(&[1, 99], 1), [0, 1]);
    }
}
