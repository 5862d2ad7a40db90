//! Reachability graphs as JSON, schema `lakatos-arg/1`. Field names and order are part of the
//! schema; new fields may be added.

use serde::Serialize;

use super::{Edge, EdgeKind, End, Graph, Node, NodeKind, Role};

#[derive(Serialize)]
struct Document<'g> {
    schema: &'static str,
    file: &'g str,
    property: &'g str,
    /// `complete`, `target` or `stopped`.
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'g str>,
    nodes: Vec<NodeJson<'g>>,
    edges: Vec<EdgeJson<'g>>,
}

#[derive(Serialize)]
struct NodeJson<'g> {
    id: &'g str,
    kind: NodeKind,
    function: &'g str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    role: Role,
    /// The calls it is under, outermost first.
    stack: &'g [String],
    /// All of them hold.
    state: &'g [String],
}

#[derive(Serialize)]
struct EdgeJson<'g> {
    from: &'g str,
    to: &'g str,
    kind: EdgeKind,
    text: &'g [String],
}

pub(super) fn json(graph: &Graph) -> String {
    let (end, reason) = match &graph.end {
        End::Complete => ("complete", None),
        End::Target => ("target", None),
        End::Stopped(reason) => ("stopped", Some(reason.as_str())),
    };
    let document = Document {
        schema: "lakatos-arg/1",
        file: &graph.file,
        property: &graph.property,
        end,
        reason,
        nodes: graph.nodes.iter().map(node).collect(),
        edges: graph.edges.iter().map(|e| edge(graph, e)).collect(),
    };
    // Strings, numbers and lists only: this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn node(node: &Node) -> NodeJson<'_> {
    NodeJson {
        id: &node.name,
        kind: node.kind,
        function: &node.function,
        line: node.line,
        role: node.role,
        stack: &node.stack,
        state: &node.state,
    }
}

fn edge<'g>(graph: &'g Graph, edge: &'g Edge) -> EdgeJson<'g> {
    EdgeJson {
        from: &graph.nodes[edge.from].name,
        to: &graph.nodes[edge.to].name,
        kind: edge.kind,
        text: &edge.text,
    }
}
