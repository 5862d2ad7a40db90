mod common;
#[test]
#[ignore]
fn dump() {
    let seeds = std::env::var("SEED").unwrap();
    let (a, b) = seeds.split_once("..").unwrap();
    std::fs::create_dir_all("/tmp/smt").unwrap();
    for seed in a.parse::<u64>().unwrap()..b.parse().unwrap() {
        let mut terms = lakatos_logic::term::Terms::new();
        let problem = common::random::contradiction(seed).problem(&mut terms);
        std::fs::write(format!("/tmp/smt/{seed}.smt2"), terms.smtlib_script("QF_LIA", problem.formulas())).unwrap();
    }
}
