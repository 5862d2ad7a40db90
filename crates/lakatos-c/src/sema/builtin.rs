//! Functions the compiler knows without a declaration: library prototypes and `__builtin_*`.

use lakatos_ir::Span;
use lakatos_ir::library::LibraryFunction;

use super::signatures::OTHERS;
use super::{Res, Sema, error, unsupported};
use crate::ast::{BinOp, CBuiltin, ExprId, ExprKind};
use crate::symbol::Symbol;
use crate::types::{CTypes, FloatKind, FnType, IntKind, Quals, Ty, TypeKind};

/// The function of glibc that tests a `double`.
fn float_test(name: &str) -> Option<&'static str> {
    Some(match name {
        "isnan" => "__isnan",
        "isinf" | "isinf_sign" => "__isinf",
        "isfinite" => "__finite",
        "signbit" => "__signbit",
        "isnormal" => "__isnormal",
        "isunordered" => "__isunordered",
        "islessgreater" => "__islessgreater",
        "fpclassify" => "__fpclassify_as",
        _ => return None,
    })
}

/// The comparison of C11 7.12.14 as an operator. The two differ only in exceptions.
fn float_comparison(name: &str) -> Option<BinOp> {
    Some(match name {
        "isgreater" => BinOp::Gt,
        "isgreaterequal" => BinOp::Ge,
        "isless" => BinOp::Lt,
        "islessequal" => BinOp::Le,
        _ => return None,
    })
}

fn signature(name: &str) -> Option<&'static str> {
    let other = OTHERS.iter().find(|&&(own, _)| own == name).map(|&(_, code)| code);
    other.or_else(|| LibraryFunction::named(name)?.signature)
}

impl Sema {
    /// The type of a library function, whether or not it was declared.
    pub fn library_type(&mut self, name: &str) -> Option<Ty> {
        let code = signature(name)?;
        let variadic = code.ends_with('.');
        let mut types = code.trim_end_matches('.').chars().map(|c| self.library_param(c));
        let types: Vec<Ty> = types.by_ref().collect();
        let (&result, params) = types.split_first()?;
        let params = params.to_vec();
        Some(self.types.function(FnType { result, params, variadic, prototyped: true }))
    }

    fn library_param(&mut self, code: char) -> Ty {
        let constant = Quals { is_const: true, ..Quals::NONE };
        let inner = match code {
            'v' => return self.types.void,
            'i' => return self.types.int,
            'l' => return CTypes::int_ty(IntKind::Long),
            'z' => return self.types.size_ty(),
            'q' => return CTypes::int_ty(IntKind::LongLong),
            'd' => return self.types.float_ty(FloatKind::Double),
            'f' => return self.types.float_ty(FloatKind::Float),
            'D' => return self.types.float_ty(FloatKind::LongDouble),
            'E' => self.types.float_ty(FloatKind::Double),
            'F' => self.types.float_ty(FloatKind::Float),
            'L' => self.types.float_ty(FloatKind::LongDouble),
            'I' => self.types.int,
            'p' => self.types.void,
            'P' => self.types.qualify(self.types.void, constant),
            's' => self.types.char,
            _ => self.types.qualify(self.types.char, constant),
        };
        self.types.pointer_to(inner)
    }

    /// A name that is no declared thing but a built-in function: its call, checked.
    pub fn builtin_call(&mut self, name: Symbol, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let text = self.name(name).to_owned();
        let short = text.strip_prefix("__builtin_").unwrap_or(&text);
        if let Some(e) = self.folded_builtin(short, &args, span)? {
            return Ok(e);
        }
        if let Some(e) = self.atomic_builtin(&text, &args, span)? {
            return Ok(e);
        }
        if let Some((builtin, params, result)) = self.builtin_signature(short) {
            return self.typed_builtin(builtin, &params, result, args, span);
        }
        match short {
            "add_overflow" => self.overflow_builtin(CBuiltin::AddOverflow, args, span),
            "sub_overflow" => self.overflow_builtin(CBuiltin::SubOverflow, args, span),
            "mul_overflow" => self.overflow_builtin(CBuiltin::MulOverflow, args, span),
            "add_overflow_p" => self.overflow_test(CBuiltin::AddOverflow, args, span),
            "sub_overflow_p" => self.overflow_test(CBuiltin::SubOverflow, args, span),
            "mul_overflow_p" => self.overflow_test(CBuiltin::MulOverflow, args, span),
            "complex" => self.complex_builtin(args, span),
            "shuffle" => self.shuffle_builtin(false, args, span),
            "shufflevector" => self.shuffle_builtin(true, args, span),
            "tgmath" => self.generic_math(args, span),
            "va_start" => self.va_builtin(CBuiltin::VaStart, args, span),
            "va_end" => self.va_builtin(CBuiltin::VaEnd, args, span),
            "va_copy" => self.va_builtin(CBuiltin::VaCopy, args, span),
            _ if let Some((builtin, kind)) = typed_overflow(short) => {
                self.typed_overflow(builtin, kind, args, span)
            }
            _ if signature(short).is_some() => self.library_call(short, args, span),
            _ => unsupported(span, format!("the built-in function `{text}`")),
        }
    }

    fn library_function(&mut self, symbol: Symbol, name: &str, span: Span) -> crate::ast::DeclId {
        let ty = self.library_type(name).expect("looked up before");
        let kind = crate::ast::DeclKind::Function(crate::ast::Function::default());
        let id = self.decls.push(crate::ast::Decl { name: symbol, ty, span, kind });
        self.linked.insert(symbol, id);
        self.functions.push(id);
        id
    }

    /// Built-ins that are only their argument, or a constant.
    fn folded_builtin(&mut self, name: &str, args: &[ExprId], span: Span) -> Res<Option<ExprId>> {
        Ok(match (name, args) {
            ("expect", &[e, ref rest @ ..]) | ("expect_with_probability", &[e, ref rest @ ..])
                if rest.len() == 1 + usize::from(name == "expect_with_probability") =>
            {
                self.require_no_effect(rest, span)?;
                let long = CTypes::int_ty(IntKind::Long);
                Some(self.assign_convert(e, long, "passing this argument")?)
            }
            ("assume_aligned", &[e, ref rest @ ..]) if matches!(rest.len(), 1 | 2) => {
                self.require_no_effect(rest, span)?;
                let pointer = self.types.pointer_to(self.types.void);
                Some(self.assign_convert(e, pointer, "passing this argument")?)
            }
            ("constant_p", &[e]) => Some(self.constant_p(e, span)),
            ("object_size" | "dynamic_object_size", &[pointer, kind]) => {
                Some(self.object_size(pointer, kind, span)?)
            }
            ("inf" | "huge_val", []) => {
                Some(self.float_value(f64::INFINITY, FloatKind::Double, span))
            }
            ("inff" | "huge_valf", []) => {
                Some(self.float_value(f64::INFINITY, FloatKind::Float, span))
            }
            ("infl" | "huge_vall", []) => {
                Some(self.float_value(f64::INFINITY, FloatKind::LongDouble, span))
            }
            ("nan", &[payload]) if self.is_empty_text(payload) => {
                Some(self.float_value(f64::NAN, FloatKind::Double, span))
            }
            ("nanf", &[payload]) if self.is_empty_text(payload) => {
                Some(self.float_value(f64::NAN, FloatKind::Float, span))
            }
            ("isinf", &[_]) => {
                // 1 for either infinity; the function gives -1 for one of them.
                let (found, zero) =
                    (self.float_test(name, args, span)?, self.int_const(0, self.types.int, span));
                Some(self.binary(BinOp::Ne, found, zero, span)?)
            }
            (test, &[_, ..]) if float_test(test).is_some() => {
                Some(self.float_test(test, args, span)?)
            }
            (name, &[a, b]) if let Some(op) = float_comparison(name) => {
                Some(self.binary(op, a, b, span)?)
            }
            ("prefetch", &[address, ref rest @ ..]) if rest.len() <= 2 => {
                self.require_no_effect(rest, span)?;
                let args = vec![self.rvalue(address)];
                let kind = ExprKind::Builtin { builtin: CBuiltin::Nothing, args };
                Some(self.expr(kind, self.types.void, span))
            }
            ("return_address" | "frame_address", &[level])
                if self.constant_int(level).is_some() =>
            {
                let pointer = self.types.pointer_to(self.types.void);
                let kind =
                    ExprKind::Builtin { builtin: CBuiltin::CompilerChoice, args: Vec::new() };
                Some(self.expr(kind, pointer, span))
            }
            ("classify_type", _) => return unsupported(span, "`__builtin_classify_type`"),
            _ => None,
        })
    }

    fn float_value(&mut self, value: f64, kind: FloatKind, span: Span) -> ExprId {
        let ty = self.types.float_ty(kind);
        self.expr(ExprKind::Float(value), ty, span)
    }

    fn is_empty_text(&self, mut e: ExprId) -> bool {
        while let ExprKind::Decay(inner) | ExprKind::Convert { operand: inner, .. } =
            self.exprs[e].kind
        {
            e = inner;
        }
        matches!(self.exprs[e].kind, ExprKind::Str(id) if self.strings[id].is_empty())
    }

    /// A test of a `float` or `double`, by the function of glibc that makes it for `double`. That of a
    /// wider type would lose something.
    fn float_test(&mut self, test: &str, args: &[ExprId], span: Span) -> Res<ExprId> {
        let args: Vec<ExprId> = args.iter().map(|&e| self.rvalue(e)).collect();
        for &e in &args {
            if let TypeKind::Float(FloatKind::LongDouble | FloatKind::Float128)
            | TypeKind::Complex(_)
            | TypeKind::Opaque(_) = self.types.kind(self.ty(e))
            {
                return unsupported(span, format!("`__builtin_{test}` of such a type"));
            }
        }
        let function = float_test(test).expect("asked before");
        self.library_call(function, args, span)
    }

    /// GCC's `__builtin_tgmath(functions…, arguments…)`: the function whose parameters have the type
    /// that the arguments have together (C11 7.25).
    fn generic_math(&mut self, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let args: Vec<ExprId> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let count = args.iter().take_while(|&&e| self.params_of(e).is_some()).count();
        let (functions, values) = args.split_at(count);
        let Some(params) = functions.first().and_then(|&e| self.params_of(e)) else {
            return unsupported(span, "`__builtin_tgmath` without functions");
        };
        let is_generic = |s: &Self, ty: Ty| s.types.is_float(ty);
        let Some(at) = params.iter().position(|&ty| is_generic(self, ty)) else {
            return unsupported(span, "`__builtin_tgmath` of functions without numbers");
        };
        let mut kind = FloatKind::Float;
        for (&value, &param) in values.iter().zip(&params) {
            match self.types.kind(self.ty(value)) {
                _ if !is_generic(self, param) => {}
                TypeKind::Float(own) => kind = kind.max(own),
                TypeKind::Complex(_) => return unsupported(span, "complex numbers"),
                _ => kind = kind.max(FloatKind::Double),
            }
        }
        let wanted = TypeKind::Float(kind);
        let takes = |s: &Self, e: ExprId| {
            s.params_of(e).and_then(|p| p.get(at).map(|&ty| s.types.kind(ty))) == Some(wanted)
        };
        match functions.iter().find(|&&e| takes(self, e)) {
            Some(&function) => self.call(function, values.to_vec(), span),
            None => unsupported(span, format!("`__builtin_tgmath` of `{}`", kind.name())),
        }
    }

    /// The parameters of a function that a value points to.
    fn params_of(&self, e: ExprId) -> Option<Vec<Ty>> {
        let function = self.types.pointee(self.ty(e))?;
        self.types.function_of(function).map(|function| function.params.clone())
    }

    /// Names that are constants in C23, or that the preprocessor knows, where nothing was declared.
    pub fn later_constant(&mut self, name: Symbol, span: Span) -> Option<ExprId> {
        let bool_ty = CTypes::int_ty(IntKind::Bool);
        let (value, ty) = match self.name(name) {
            "true" => (1, bool_ty),
            "false" => (0, bool_ty),
            "nullptr" => {
                let zero = self.int_const(0, self.types.int, span);
                let pointer = self.types.pointer_to(self.types.void);
                return Some(self.convert(zero, pointer, true));
            }
            "__ATOMIC_RELAXED" => (0, self.types.int),
            "__ATOMIC_CONSUME" => (1, self.types.int),
            "__ATOMIC_ACQUIRE" => (2, self.types.int),
            "__ATOMIC_RELEASE" => (3, self.types.int),
            "__ATOMIC_ACQ_REL" => (4, self.types.int),
            "__ATOMIC_SEQ_CST" => (5, self.types.int),
            _ => return None,
        };
        Some(self.int_const(value, ty, span))
    }

    /// A call of a function of the library, declared or not.
    fn library_call(&mut self, name: &str, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let symbol = self.symbols.intern(name);
        let decl = match self.linked.get(&symbol) {
            Some(&decl) => decl,
            None => self.library_function(symbol, name, span),
        };
        let callee = self.reference(decl, span);
        self.call(callee, args, span)
    }

    /// Arguments that only tell the compiler something are dropped.
    fn require_no_effect(&self, args: &[ExprId], span: Span) -> Res<()> {
        match args.iter().any(|&arg| self.may_act(arg)) {
            true => unsupported(span, "a side effect in an argument for the optimiser"),
            false => Ok(()),
        }
    }

    fn typed_builtin(
        &mut self,
        builtin: CBuiltin,
        params: &[Ty],
        result: Ty,
        args: Vec<ExprId>,
        span: Span,
    ) -> Res<ExprId> {
        if args.len() != params.len() {
            let message = format!("this takes {} arguments, not {}", params.len(), args.len());
            return error(span, message);
        }
        let mut converted = Vec::with_capacity(args.len());
        for (arg, &param) in args.into_iter().zip(params) {
            converted.push(self.assign_convert(arg, param, "passing this argument")?);
        }
        Ok(self.expr(ExprKind::Builtin { builtin, args: converted }, result, span))
    }

    /// Built-ins with fixed parameter types.
    fn builtin_signature(&mut self, name: &str) -> Option<(CBuiltin, Vec<Ty>, Ty)> {
        use CBuiltin::*;
        use IntKind::*;
        let (int, void) = (self.types.int, self.types.void);
        if let Some((builtin, kind)) = counting(name) {
            return Some((builtin, vec![CTypes::int_ty(kind)], int));
        }
        let bswap = |kind| Some((Bswap, vec![CTypes::int_ty(kind)], CTypes::int_ty(kind)));
        match name {
            "bswap16" => bswap(UShort),
            "bswap32" => bswap(UInt),
            "bswap64" if self.types.size_kind() == ULong => bswap(ULong),
            "bswap64" => bswap(ULongLong),
            "unreachable" => Some((Unreachable, vec![], void)),
            "trap" => Some((Trap, vec![], void)),
            "alloca" => {
                let pointer = self.types.pointer_to(void);
                Some((Alloca, vec![self.types.size_ty()], pointer))
            }
            _ => None,
        }
    }

    fn overflow_builtin(
        &mut self,
        builtin: CBuiltin,
        args: Vec<ExprId>,
        span: Span,
    ) -> Res<ExprId> {
        let args: Vec<_> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let is_int = |s: &Sema, e: ExprId| s.types.is_integer(s.ty(e)) && !s.is_bool(s.ty(e));
        let ok = match args[..] {
            [a, b, result] => {
                let pointee = self.types.pointee(self.ty(result));
                is_int(self, a)
                    && is_int(self, b)
                    && pointee.is_some_and(|t| self.types.is_integer(t))
            }
            _ => false,
        };
        if !ok {
            return error(span, "this takes two integers and a pointer to an integer");
        }
        let ty = CTypes::int_ty(IntKind::Bool);
        Ok(self.expr(ExprKind::Builtin { builtin, args }, ty, span))
    }

    /// `__builtin_add_overflow_p` and its relatives: the third argument says the type of the result.
    fn overflow_test(&mut self, builtin: CBuiltin, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let args: Vec<_> = args.into_iter().map(|e| self.rvalue(e)).collect();
        let is_int = |&e: &ExprId| self.types.is_integer(self.ty(e)) && !self.is_bool(self.ty(e));
        if args.len() != 3 || !args.iter().all(is_int) {
            return error(span, "this takes three integers");
        }
        if self.bit_field_value(args[2]).is_some() {
            return unsupported(span, "an overflow built-in on the type of a bit-field");
        }
        let ty = CTypes::int_ty(IntKind::Bool);
        Ok(self.expr(ExprKind::Builtin { builtin, args }, ty, span))
    }

    /// `__builtin_uaddl_overflow` and its relatives: the arguments are converted to one type.
    fn typed_overflow(
        &mut self,
        builtin: CBuiltin,
        kind: IntKind,
        mut args: Vec<ExprId>,
        span: Span,
    ) -> Res<ExprId> {
        let ty = CTypes::int_ty(kind);
        if let [a, b, result] = &mut args[..] {
            for arg in [a, b] {
                *arg = self.assign_convert(*arg, ty, "passing this argument")?;
            }
            let pointer = self.types.pointer_to(ty);
            *result = self.assign_convert(*result, pointer, "passing this argument")?;
        }
        self.overflow_builtin(builtin, args, span)
    }

    /// The arguments are lists (left as lvalues) and, for `va_start`, the last parameter.
    fn va_builtin(&mut self, builtin: CBuiltin, args: Vec<ExprId>, span: Span) -> Res<ExprId> {
        let args = args.into_iter().map(|e| self.rvalue(e)).collect();
        Ok(self.expr(ExprKind::Builtin { builtin, args }, self.types.void, span))
    }
}

/// The operation and the type of an overflow built-in whose name says it.
fn typed_overflow(name: &str) -> Option<(CBuiltin, IntKind)> {
    let operation = name.strip_suffix("_overflow")?;
    let (is_unsigned, operation) = match operation.strip_prefix('u') {
        Some(operation) => (true, operation),
        None => (false, operation.strip_prefix('s')?),
    };
    let (builtin, length) = [
        ("add", CBuiltin::AddOverflow),
        ("sub", CBuiltin::SubOverflow),
        ("mul", CBuiltin::MulOverflow),
    ]
    .into_iter()
    .find_map(|(word, builtin)| Some((builtin, operation.strip_prefix(word)?)))?;
    let kind = match length {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    Some((builtin, if is_unsigned { kind.to_unsigned() } else { kind }))
}

/// Bit counting built-ins with the type they count in; `ffs` takes signed integers.
fn counting(name: &str) -> Option<(CBuiltin, IntKind)> {
    use IntKind::*;
    let (base, kind) = match (name.strip_suffix("ll"), name.strip_suffix('l')) {
        (Some(base), _) => (base, ULongLong),
        (None, Some(base)) => (base, ULong),
        (None, None) => (name, UInt),
    };
    let builtin = match base {
        "clz" => CBuiltin::Clz,
        "ctz" => CBuiltin::Ctz,
        "popcount" => CBuiltin::Popcount,
        "parity" => CBuiltin::Parity,
        "ffs" => CBuiltin::Ffs,
        _ => return None,
    };
    Some((builtin, kind))
}

/// Names that are looked up as built-ins when nothing of the name was declared.
pub fn is_builtin_name(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}
