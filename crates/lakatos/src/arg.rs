//! `lakatos arg`: draw the abstract reachability graph that an engine ends with.

use anyhow::{Result, anyhow};
use lakatos_check::{Verdict, Why};
use lakatos_engine::Task;
use lakatos_engine::graph::{self, Edge, EdgeKind, Node, Role, Status};
use lakatos_ir::Property;
use lakatos_report::draw::reach::{self, End, MOST_DRAWN, NodeKind, TooLarge};

use crate::args::{ArgArgs, Drawn};
use crate::drawing::format;
use crate::exit::Exit;
use crate::load::choose;
use crate::verify::{by_blocks, configure, ensure_sensible};
use crate::watch::{Ends, Limits, watched};
use crate::{task, terminal, whole};

pub fn arg(args: &ArgArgs) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let property =
        args.property.or_else(|| task::first(&choice.asked)).unwrap_or(Property::UnreachCall);
    ensure_sensible(args.signed_overflow, property)?;
    let output = args.picture.output.as_deref();
    whole::ensure_apart(output, &choice.files(&args.input))?;
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let signed_overflow = args.signed_overflow.into();
    let task = Task { program: &program, property, signed_overflow };
    let (ends, limits) = (Ends::with_ctrl_c(), Limits::set(&args.limits));
    let stuck = |why: Why| {
        let why = why.describe(&program.source);
        terminal::note(&format!("there is no graph: {why}, and the solver does not stop"));
        Exit::Unknown
    };
    let (report, graph) = watched(&ends, limits, stuck, |watcher| match args.engine {
        Drawn::Cegar => configure(&args.cegar).solve_and_show(&task, watcher),
        Drawn::Bam => by_blocks(&args.cegar).solve_and_show(&task, watcher),
    });
    let end = match report.verdict {
        Verdict::Proved(_) => End::Complete,
        Verdict::Refuted(_) => End::Target,
        Verdict::Unknown(why) => End::Stopped(ends.explain(why).describe(&program.source)),
    };
    let exit = match &end {
        End::Stopped(reason) => {
            terminal::note(&format!("the graph is partial: {reason}"));
            Exit::Unknown
        }
        End::Complete | End::Target => Exit::Good,
    };
    let graph = plain(graph, program.source.name(), property.name(), end);
    let drawing = reach::draw(&graph, format(&args.picture)).map_err(|TooLarge(nodes)| {
        anyhow!(
            "the graph has {nodes} nodes, and a picture shows at most {MOST_DRAWN}\n  \
             Use `--format dot` or `--format json`, or stop earlier with `--timeout`."
        )
    })?;
    whole::write_or_print(output, &drawing)?;
    Ok(exit)
}

/// The engine's graph as what is drawn.
pub fn plain(graph: graph::Graph, file: &str, property: &str, end: End) -> reach::Graph {
    reach::Graph {
        file: file.to_owned(),
        property: property.to_owned(),
        end,
        nodes: graph.nodes.into_iter().enumerate().map(|(at, node)| plain_node(at, node)).collect(),
        edges: graph.edges.into_iter().map(plain_edge).collect(),
    }
}

fn plain_node(at: usize, node: Node) -> reach::Node {
    reach::Node {
        name: format!("n{at}"),
        kind: match node.status {
            Status::Expanded => NodeKind::Expanded,
            Status::Open => NodeKind::Open,
            Status::Covered => NodeKind::Covered,
            Status::Popped => NodeKind::Popped,
            Status::Entered => NodeKind::Entered,
            Status::Target => NodeKind::Target,
        },
        function: node.function,
        line: node.line,
        role: match node.role {
            Role::Entry => reach::Role::Entry,
            Role::Exit => reach::Role::Exit,
            Role::LoopHead => reach::Role::Loop,
            Role::Error => reach::Role::Error,
            Role::Plain => reach::Role::Plain,
        },
        stack: node.stack.calls(),
        state: node.state,
    }
}

fn plain_edge(edge: Edge) -> reach::Edge {
    reach::Edge {
        from: edge.from,
        to: edge.to,
        kind: match edge.kind {
            EdgeKind::Step => reach::EdgeKind::Step,
            EdgeKind::Call => reach::EdgeKind::Call,
            EdgeKind::Return => reach::EdgeKind::Return,
            EdgeKind::Skip => reach::EdgeKind::Skip,
            EdgeKind::Over => reach::EdgeKind::Over,
            EdgeKind::Cover => reach::EdgeKind::Cover,
            EdgeKind::Pop => reach::EdgeKind::Pop,
            EdgeKind::Reduce => reach::EdgeKind::Reduce,
            EdgeKind::Expand => reach::EdgeKind::Expand,
        },
        text: edge.text,
    }
}
