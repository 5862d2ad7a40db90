//! The procedure where a run begins: it makes the objects with static storage, then calls `main`.

use lakatos_ir::{
    BinOp, Call, Callee, ExprId as IrExprId, Id, InputKind, Instr, IntType, ProcId, Signature,
    Span, Type, VarKind,
};

use rustc_hash::FxHashSet;

use super::call::{Site, Want};
use super::escape::{Root, root};
use super::func::Func;
use super::graph::ENTRY;
use super::{Lower, Lowered};
use crate::ast::{DeclId, ExprId, ExprKind, Prioritised, Storage};
use crate::models;

impl Lower<'_> {
    pub(super) fn declare_start(&mut self) -> ProcId {
        let signature = Signature { result: Type::I32, params: Some(Vec::new()), variadic: false };
        let signature = self.make_signature(signature);
        let start = self.add_proc("__lakatos_start", signature, Span::default());
        let kind = VarKind::Result(start);
        let result =
            self.add_var(String::new(), Type::I32, kind, Span::default(), "int".to_owned());
        self.ir.procs[start].result = Some(result);
        start
    }

    /// After all functions, when it is known which literals and external objects they use.
    pub(super) fn lower_start(&mut self, main: DeclId) -> Lowered {
        let span = self.unit.decls[main].span;
        self.f = Func::new(self.ir.start, Span::default());
        let objects = self.fresh();
        self.f.graph.revive(objects);
        self.f.at = objects;
        self.static_objects();
        let end = self.f.at;
        // These stand first, but initialisers may have brought in more of them.
        self.f.at = ENTRY;
        self.literal_objects();
        self.external_objects();
        self.jump(objects, span);
        self.f.at = end;
        self.no_arguments(span);
        self.start_jumps(span);
        self.call_constructors();
        self.call_main(main, span);
        self.lose_jumps();
        self.finish_function()
    }

    /// Globals and static locals; an initialiser may name a static local that no code does.
    fn static_objects(&mut self) {
        let unit = self.unit;
        let (mut todo, mut done) = (unit.objects.clone(), FxHashSet::default());
        loop {
            let before = todo.len();
            let ready = |l: &Self, d: DeclId| l.vars[d.index()].is_some() && l.is_static(d);
            let (now, later): (Vec<_>, Vec<_>) = todo.into_iter().partition(|&d| ready(self, d));
            now.into_iter().for_each(|decl| self.static_object(decl, &mut done));
            todo = later;
            if todo.len() == before {
                return;
            }
        }
    }

    fn is_static(&self, decl: DeclId) -> bool {
        let storage = self.object(decl).map(|object| object.storage);
        matches!(storage, Some(Storage::Global | Storage::StaticLocal))
    }

    fn static_object(&mut self, decl: DeclId, done: &mut FxHashSet<DeclId>) {
        if !done.insert(decl) {
            return;
        }
        if self.object(decl).is_some_and(|object| object.weak) {
            self.warn_weak(decl);
        }
        let init = self.object(decl).and_then(|object| object.init.as_ref());
        match init {
            Some(init) => {
                init.items.iter().for_each(|item| self.make_what_is_read(item.value, done));
                self.initialise(decl, init);
            }
            None => {
                let span = self.unit.decls[decl].span;
                let var = self.var(decl);
                let place = self.var_place(var, span);
                let zero = self.zero(self.ir.vars[var].ty, span);
                self.assign_place(place, zero, span);
            }
        }
    }

    /// Objects whose values an initialiser has come before it: compound literals, above all.
    fn make_what_is_read(&mut self, e: ExprId, done: &mut FxHashSet<DeclId>) {
        let unit = self.unit;
        let kind = &unit.exprs[e].kind;
        if let ExprKind::Load(lvalue) = *kind
            && let Root::Object(decl) = root(unit, lvalue)
            && self.is_static(decl)
        {
            self.static_object(decl, done);
        }
        let mut operands = Vec::new();
        kind.for_each_operand(|operand| operands.push(operand));
        operands.into_iter().for_each(|operand| self.make_what_is_read(operand, done));
    }

    fn literal_objects(&mut self) {
        for (var, id) in std::mem::take(&mut self.literal_order) {
            let span = self.ir.vars[var].span;
            let place = self.var_place(var, span);
            self.store_string(place, id, span);
        }
    }

    fn external_objects(&mut self) {
        let unit = self.unit;
        for &decl in &unit.objects {
            let external = self.object(decl).is_some_and(|o| o.storage == Storage::Extern);
            if let Some(stream) = self.stream_type(decl) {
                if self.vars[decl.index()].is_some() {
                    self.open_stream(decl, stream);
                }
            } else if let (true, Some(var)) = (external, self.vars[decl.index()])
                && self.ir.types.size(self.ir.vars[var].ty) > 0
            {
                let span = unit.decls[decl].span;
                let place = self.var_place(var, span);
                self.havoc(place, InputKind::External, self.name(decl).to_owned(), span);
            }
        }
    }

    /// Functions that run before `main`, the one with the least number first.
    fn call_constructors(&mut self) {
        let constructors = self.by_priority(&self.unit.constructors, "constructors");
        self.call_each(&constructors, "a constructor");
    }

    /// What runs when the program ends by itself: the functions that `atexit` was given, then destructors,
    /// the one with the largest number first.
    pub(super) fn call_at_exit(&mut self, status: IrExprId, span: Span) {
        self.interrupt_anyway(span);
        if let Some(model) = self.model_of(models::AT_EXIT) {
            let site = Site { span, ty: Type::Void, want: Want::Nothing };
            self.model_call(model, model, vec![status], site);
        }
        let mut destructors = self.by_priority(&self.unit.destructors, "destructors");
        destructors.reverse();
        self.call_each(&destructors, "a destructor");
        self.interrupt_anyway(span);
    }

    /// Which of two functions with the same number is first, the compiler decides.
    fn by_priority(&mut self, all: &[Prioritised], what: &str) -> Vec<Prioritised> {
        let mut all = all.to_vec();
        all.sort_by_key(|&(decl, priority, _)| (priority, decl));
        all.dedup_by_key(|&mut (decl, priority, _)| (priority, decl));
        for pair in all.windows(2) {
            if pair[0].1 == pair[1].1 || pair[0].0 == pair[1].0 {
                self.unsupported(pair[1].2, format!("two {what} of the same priority"));
            }
        }
        all
    }

    fn call_each(&mut self, functions: &[Prioritised], what: &str) {
        for &(decl, _, span) in functions {
            if self.body(decl).is_none() {
                self.unsupported(span, format!("{what} that is not defined here"));
                continue;
            }
            let proc = self.proc(decl);
            if !self.ir.procs[proc].params.is_empty() {
                self.unsupported(span, format!("{what} with parameters"));
            }
            self.mention(proc);
            let ty = self.ir.procs[proc].result.map(|var| self.ir.vars[var].ty);
            let result = ty.map(|ty| self.temp_place(ty, span));
            let call = Call { result, callee: Callee::Proc(proc), args: Vec::new(), site: None };
            self.emit(Instr::Call(call), span);
            self.look_for_jump(span);
        }
    }

    /// `main`'s arguments are inputs; there are at least none.
    fn call_main(&mut self, main: DeclId, span: Span) {
        let proc = self.proc(main);
        let params = self.ir.procs[proc].params.clone();
        let mut args: Vec<IrExprId> = Vec::with_capacity(params.len());
        for param in params {
            let (ty, name) = (self.ir.vars[param].ty, self.ir.vars[param].name.clone());
            let temp = self.temp_place(ty, span);
            self.havoc(temp, InputKind::Uninitialised, name, self.ir.vars[param].span);
            args.push(self.load(temp, span));
        }
        if let Some(Type::Int(int)) = args.first().map(|&argc| self.type_of(argc)) {
            let zero = self.int(0, int, span);
            let counts = self.binary(BinOp::Ge, args[0], zero, Type::BOOL, span);
            self.emit(Instr::Assume(counts), span);
        }
        self.mention(proc);
        let ty = self.ir.procs[proc].result.map(|var| self.ir.vars[var].ty);
        let result = ty.map(|ty| self.temp_place(ty, span));
        let callee = Callee::Proc(proc);
        self.emit(Instr::Call(Call { result, callee, args, site: None }), span);
        self.look_for_jump(span);
        let value = match result {
            Some(place) => {
                let value = self.load(place, span);
                self.convert(value, Type::I32, span)
            }
            None => self.int(0, IntType::I32, span),
        };
        self.call_at_exit(value, span);
        self.return_value(Some(value), span);
    }
}
