//! Programs that were once misread. The expected exit codes are those of `gcc -fwrapv`.

use lakatos_c::{Options, compile};
use lakatos_ir::interpret::{self, Outcome, Zeros, run};
use lakatos_ir::{Severity, SignedOverflow, Source};

fn exit_code(text: &str) -> Result<i128, String> {
    let source = Source::new("t.c", text);
    let program = compile(source, &Options::default()).map_err(|failure| {
        let first = &failure.diagnostics[0];
        assert_ne!(first.severity, Severity::Warning, "a failure begins with its reason");
        format!("{:?}: {}", first.severity, first.message)
    })?;
    assert!(lakatos_ir::validate::validate(&program).is_empty());
    let options = interpret::Options {
        signed_overflow: SignedOverflow::Wrap,
        ..interpret::Options::default()
    };
    match run(&program, &options, &mut Zeros).outcome {
        Outcome::Exited(code) => Ok(code),
        other => Err(format!("{other:?}")),
    }
}

#[track_caller]
fn check(text: &str, expected: i128) {
    assert_eq!(exit_code(text), Ok(expected), "{text}");
}

/// The construct is refused rather than misread.
#[track_caller]
fn refused(text: &str, construct: &str) {
    assert_eq!(exit_code(text), Err(format!("Unsupported: {construct}")), "{text}");
}

#[test]
fn pragma_pack() {
    check("#pragma pack(1)\nstruct L{char c; int x;};\nint main(){ return sizeof(struct L); }", 5);
    check(
        "#pragma pack(push, 2)\nstruct L{char c; int x;};\n#pragma pack(pop)\n\
         struct M{char c; int x;};\nint main(){ return sizeof(struct L) * 16 + sizeof(struct M); }",
        6 * 16 + 8,
    );
    refused("#pragma pack(show)\nint main(){ return 0; }", "this form of `#pragma pack`");
}

#[test]
fn alignment_of_typedefs_and_objects() {
    check(
        "typedef int al16 __attribute__((aligned(16))); int main(){ return _Alignof(al16); }",
        16,
    );
    check("typedef int al4 __attribute__((aligned(4))); int main(){ return sizeof(al4); }", 4);
    refused(
        "_Alignas(16) char c; int main(){ return _Alignof(c); }",
        "the alignment of an expression",
    );
}

#[test]
fn unevaluated_operands_of_variable_length() {
    refused(
        "int main(){ int n=3; int a[4][n]; int (*p)[n]=a; (void)sizeof(*p++); return p-a; }",
        "`sizeof` of a variable-length array with side effects",
    );
    check("int main(){ int n=3; int a[4][n]; return sizeof a[1] + sizeof(int[n]); }", 24);
    refused(
        "int vg(int n,int a[n++]){return n;} int main(){int a[9]; return vg(3,a);}",
        "a parameter's array length with side effects",
    );
    refused(
        "int main(){ int n = 3; goto l; int a[n]; l: a[1] = 1; return 0; }",
        "a jump into the scope of a variable-length array",
    );
}

#[test]
fn declarations_in_parameter_lists_are_known_in_the_body() {
    check(
        "enum{PA=1}; int f(enum{PA=9} p){return PA;}\n\
         struct Z{char a;}; int g(struct Z{int q;}*z){return sizeof(struct Z);}\n\
         int main(){return f(0)*10+g(0);}",
        94,
    );
    check("int f(enum{PA=3,PB} p){return p+PB;} int main(){return f(1);}", 5);
    check("int f(p) enum{K=5} p; {return K;} enum{K=3}; int main(){return f(0)*10+K;}", 53);
    check(
        "int kn(n,a) int n; int a[2][n]; {return a[1][0];} \
           int main(){int a[2][2]={1,2,3,4}; return kn(2,a);}",
        3,
    );
    check("int f(a, b) char b; {return a * 10 + b;} int main(){return f(1, 2);}", 12);
}

#[test]
fn declarations_in_conditions_end_with_the_statement() {
    check("enum{K=1}; int main(){ int x=0; if(sizeof(enum{K=2})==4) x=K; return x*10+K; }", 21);
    check("enum{K=1}; int main(){ int x=0; while(x<sizeof(enum{K=2})) x+=K; return x*10+K; }", 41);
}

#[test]
fn initialised_flexible_array_members() {
    let f = |text: &str| format!("struct F{{int n; char c; int f[];}}; {text}");
    check(&f("struct F fl={3,4,{1,2,5}}; int main(){ return fl.f[2]+sizeof fl; }"), 13);
    check(&f("struct F fl={3,4,1,2}; int main(){ struct F g=fl; return fl.f[1]*10+g.c; }"), 24);
    check(&f("struct F fl={.f[2]=7}; int main(){ struct F *p=&fl; return p->f[2]; }"), 7);
    check(&f("struct F fl={3}; int main(){ return fl.n; }"), 3);
    check("struct S{int n; char s[];} x={1,\"abc\"}; int main(){ return x.s[2]+x.s[3]; }", 99);
    refused(
        &f("struct G{struct F f;} g={{3,4,{1,2}}}; int main(){ return g.f.n; }"),
        "an initialised flexible array member of a part of an object",
    );
    refused(
        &f("int main(){ struct F *p=&(struct F){1,2,{3}}; return p->n; }"),
        "a compound literal with an initialised flexible array member",
    );
}

#[test]
fn bit_precise_integers() {
    check("int main(){ unsigned _BitInt(5) a=31; a++; return a; }", 0);
    check("int main(){ unsigned _BitInt(5) a=31; return a+1; }", 32);
    check(
        "int main(){ unsigned _BitInt(40) a=31; unsigned _BitInt(5) b=7; return (a*b)>>1; }",
        108,
    );
    check("int main(){ _BitInt(9) a=-3; return -a + sizeof a + (a<0u); }", 5);
    check("int main(){ unsigned _BitInt(32) a=0; return a - 1 > 0; }", 1);
    check("int main(){ unsigned _BitInt(33) a=0; return a - 1 > 0; }", 1);
    check("int main(){ _BitInt(17) a[2]={4,5}, *p=a, *q=0; return !q && p ? *++p : 0; }", 5);
    check("int main(){ _BitInt(16) a=-2; return *(char*)&a==-2; }", 1);
    check("int main(){ return sizeof 3wb + sizeof 300uwb * 10 + (3wb + 4wb == 7); }", 22);
    check("struct S{char c; _BitInt(70) b;}; int main(){ return sizeof(struct S); }", 24);
    check("int main(){ return _Generic(1wb+2uwb, unsigned _BitInt(2): 1, default: 2); }", 1);
    for (text, what) in [
        ("_BitInt(17) x; char *p=(char*)&x; return *p;", "the bytes of a `_BitInt`"),
        ("char c[4]; void *v=c; _BitInt(17) *p=v; *p=1; return c[3];", "the bytes of a `_BitInt`"),
        ("__typeof__(300wb) x=1; return *(char*)&x;", "the bytes of a `_BitInt`"),
        ("int f(); _BitInt(17) x=1; return f(&x);", "the bytes of a `_BitInt`"),
        ("_BitInt(17) x=1; return *(char*)(long)&x;", "the bytes of a `_BitInt`"),
        ("union {_BitInt(17) x; int y;} u; u.y=1; return u.x;", "the bytes of a `_BitInt`"),
        ("struct {_BitInt(17) x:5;} s={1}; return s.x;", "a bit-field of type `_BitInt`"),
        ("_BitInt(200) x=1; return x;", "`_BitInt`"),
        ("return 1uwb;", "`_BitInt`"),
    ] {
        refused(&format!("int main(){{ {text} }}"), what);
    }
}

#[test]
fn a_definition_in_the_old_style_after_its_prototype() {
    check("int f(char); int f(c) char c; {return c;} int main(){return f(300);}", 44);
    refused(
        "int f(int); int f(c) char c; {return c;} int main(){return f(300);}",
        "a definition in the old style whose prototype has promoted types",
    );
}

#[test]
fn a_cast_bit_field_does_not_promote_by_its_width() {
    check(
        "struct S { unsigned a : 24; short b : 11; } s; \
         int main(){ s.b = -1; return s.b * 2 < (unsigned)s.a; }",
        0,
    );
}

#[test]
fn increments_of_bit_fields_are_computed_in_int() {
    check(
        "struct S { unsigned a : 3; } s = {7}; \
         int main(){ s.a++; int old = s.a; return old * 10 + --s.a; }",
        7,
    );
}

/// As GCC has it, by which `sizeof (s.a += 1)` is 1.
#[test]
fn the_size_of_a_bit_fields_value() {
    check(
        "struct S { unsigned long a : 3; unsigned short g : 9; int i : 17; long f : 40; unsigned e : 32; } s; \
         int main(){ return sizeof(s.a += 1) + 10 * sizeof(s.g = 1) + 100 * sizeof(s.i++) \
         + 1000 * sizeof(0, s.f) + 10000 * sizeof(s.e = 1); }",
        48421,
    );
    for use_of_type in [
        "__typeof__(s.a = 1) x;",
        "__auto_type x = (s.a = 1);",
        "_Generic(s.a, int: 0, default: 1);",
    ] {
        refused(
            &format!("struct S {{ int a : 3; }} s; int main(void) {{ {use_of_type} return 0; }}"),
            "the type of a bit-field's value",
        );
    }
    check("struct S { int a : 32; } s; int main(){ return _Generic(s.a, int: 5, default: 1); }", 5);
}

#[test]
fn built_in_functions_in_constants() {
    check(
        "_Static_assert(__builtin_ctz(8) == 3 && __builtin_clz(1) == 31 && __builtin_clzll(1) == 63, \"\");
         _Static_assert(__builtin_popcount(255u) == 8 && __builtin_parity(7) && !__builtin_ffs(0), \"\");
         _Static_assert(__builtin_ffs(8) == 4 && __builtin_bswap32(1) == 1 << 24, \"\");
         _Static_assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap64(1) == 1ul << 56, \"\");
         int a[__builtin_popcount(-1)]; int main(){ return sizeof a; }",
        128,
    );
}

#[test]
fn overflow_of_a_named_type() {
    check(
        "int main(){ int r; unsigned long u; long long m;
         int a = __builtin_sadd_overflow(2147483647, 1, &r);
         int b = __builtin_usubl_overflow(1, 2, &u);
         int c = __builtin_smulll_overflow(3, 4, &m);
         return a + 2 * b + 4 * c + 8 * (m == 12) + 16 * (u == -1ul) + 32 * (r == -2147483647 - 1); }",
        59,
    );
}

#[test]
fn comparisons_of_addresses_in_constants() {
    check("int a[((void*)0 == (void*)(1-1)) ? 1 : -1]; int main(){ return sizeof a; }", 4);
    check(
        "int a[((void*)8 != (void*)0) + ((char*)1 < (char*)-1)]; int main(){ return sizeof a; }",
        8,
    );
}

/// GNU C.
#[test]
fn casts_to_a_union() {
    check(
        "union U { int i; float f; } u; int main(){ u = (union U)1.5f; int x = u.f == 1.5f; \
         u = (union U)7; return u.i * 2 + x; }",
        15,
    );
    let wrong = "union U { int i; }; int main(){ double d = 1; union U u = (union U)d; }";
    assert_eq!(exit_code(wrong), Err("Error: `double` cannot be cast to `union U`".to_owned()));
}

#[test]
fn loops_entered_by_a_jump_keep_their_condition() {
    check("int main(){ int x = 3, n = 0; goto in; while (x) { x--; in: n++; } return n; }", 4);
}

/// `DBL_MAX` of GCC is such a constant. The bits are those that GCC gives.
#[test]
fn wide_constants_become_double() {
    let bits = |constant: &str, bits: u64| {
        check(
            &format!(
                "union {{ double d; unsigned long bits; }} u;
                 int main(void) {{ u.d = {constant}; return u.bits == {bits:#x}; }}"
            ),
            1,
        );
    };
    bits("(double)1.79769313486231570814527423731704357e+308L", 0x7fefffffffffffff);
    bits("-(double)2.22507385850720138309023271733240406e-308L", 0x8010000000000000);
    bits("(double)4.94065645841246544176568792868221372e-324L", 1);
    bits("0.1L", 0x3fb999999999999a);
    bits("(double)0.1Q", 0x3fb999999999999a);
    let refuse = |text: &str| refused(text, "a `long double` that `double` cannot hold");
    refuse("long double a = 0.1L; int main(void) { return 0; }");
    refuse("int main(void) { return 0.1L < 1; }");
    refuse("double a = 1e99999L; int main(void) { return 0; }");
    // The middle between two numbers of type `double`, or too near to it.
    refuse("double a = 1e23L; int main(void) { return 0; }");
    refuse("double a = 1.00000000000000011102230246251565405L; int main(void) { return 0; }");
}

#[test]
fn wide_constants_that_nobody_reaches_do_no_harm() {
    check("float f(long double x) { return x * 0.1L; } int main(void) { return 7; }", 7);
}

#[test]
fn arguments_for_transparent_unions() {
    let union = "typedef union { int *i; const long *l; } U __attribute__((transparent_union));\n";
    let set = "static int f(U u) { *u.i += 5; return 1; }\n";
    check(&format!("{union}{set}int main(){{ int x = 1; f(&x); return x; }}"), 6);
    let read = "static int f(U u) { return *u.l; }\n";
    check(&format!("{union}{read}int main(){{ long x = 7; return f(&x); }}"), 7);
    let given = "static int f(U u) { return u.i == 0; }\n";
    check(&format!("{union}{given}int main(){{ U u = {{ 0 }}; return f(u) + 2 * f(0); }}"), 3);
    check(&format!("{union}{given}int main(){{ void *p = 0; return f(p); }}"), 1);
}

/// Attributes that stand before a declaration in a block.
#[test]
fn attributes_of_local_declarations() {
    check("int main(){ __attribute__((mode(QI))) int x = 300; return x; }", 44);
    check("int main(){ int y = 1; __attribute__((unused)) int x = y; return x; }", 1);
}

#[test]
fn enumerations_with_a_type() {
    check(
        "enum E:unsigned char{A=255}; int main(){ enum E e=A; return sizeof e*2 + (A==255); }",
        3,
    );
    check("enum E:short; enum E e; enum E:short{A=-2}; int main(){ e=A; return sizeof e-e; }", 4);
    check("enum E:_Bool{N,Y}; int main(){ enum E e=7; return e; }", 1);
    check("struct S{enum E{A,B} x:2; enum E y;}; int main(){ struct S s={A,B}; return s.y; }", 1);
    check("enum E:long long{A,B=1ll<<40}; int main(){ return sizeof A + sizeof(enum E); }", 16);
    check("enum E:char{A}; int main(){ return _Generic(A, enum E: 3, default: 4); }", 3);
    for (text, message) in [
        ("enum E:unsigned char{A=256};", "this enumerator does not fit the enumeration's type"),
        ("enum E:char; enum E:int{A};", "this enumeration was declared with another type"),
        ("enum E{A}; enum E:int;", "this enumeration was declared without a type"),
        ("enum E:float{A};", "an enumeration lies in an integer type of the standard"),
    ] {
        assert_eq!(exit_code(text), Err(format!("Error: {message}")), "{text}");
    }
}

#[test]
fn tests_of_overflow() {
    check(
        "int main(){ int a=2147483647; unsigned char c=250; return __builtin_add_overflow_p(a,1,0) \
         + 2*__builtin_add_overflow_p(a,1,0ll) + 4*__builtin_add_overflow_p(c,6,(unsigned char)0) \
         + 8*__builtin_sub_overflow_p(1u,2u,0u) + 16*__builtin_mul_overflow_p(c,2,(short)0); }",
        13,
    );
    check(
        "enum{A=__builtin_mul_overflow_p(65536,65536,0), B=__builtin_add_overflow_p(1,2,(char)0), \
         C=__builtin_mul_overflow_p(-1ul,-1ul,0ul)}; int main(){ return A+2*B+4*C; }",
        5,
    );
    check("int main(){ int n=0; return __builtin_add_overflow_p(1,2,n++) + 2*n; }", 2);
}

#[test]
fn errors_behind_what_is_unsupported() {
    refused(
        "typedef struct { int a; } __attribute__((scalar_storage_order(\"big-endian\"))) S; S s;",
        "the attribute `scalar_storage_order`",
    );
    check("int main(){ __complex double z = 1; return sizeof z; }", 16);
    check("int main(){ return __builtin_infl() > 1 && __builtin_huge_vall() > 1; }", 1);
    refused(
        "int main(){ int x=0; return __builtin_choose_expr(__builtin_constant_p(x), 3, 4); }",
        "a choice that the compiler makes",
    );
    refused(
        "int main(){ return 0x9.c793985b7d029d90p-8480L > 0; }",
        "a `long double` that `double` cannot hold",
    );
}

/// In bits their size is more than 64 bits can count.
#[test]
fn sizes_beyond_2_to_the_61() {
    check(
        "struct S{short a[(1L<<62)-256]; int b, c;}; union U{int a; char b[(1L<<62)-256];}; \
         int main(){ return (sizeof(struct S)==sizeof(short)*((1L<<62)-256)+8) \
         + 2*(sizeof(union U)==(1L<<62)-256) + 4*((unsigned long)&((struct S*)0)->c==(1UL<<63)-508); }",
        7,
    );
}

#[test]
fn a_call_comes_before_what_changes_by_its_result() {
    const F: &str = "int x[1]={2}; int f(void){x[0]|=128; return 1;}";
    check(&format!("{F} int main(){{ x[0] |= f(); return x[0]; }}"), 131);
    check(&format!("{F} int main(){{ return (x[0] += f()) - x[0] + x[0]; }}"), 131);
    check(&format!("{F} int *p; int main(){{ p=x; *p -= f() + f(); return x[0]; }}"), 128);
    check(
        "struct {int a:3; int b;} s={1}; int f(void){s.a=2; return 1;} int main(){ s.a += f(); return s.a; }",
        3,
    );
    check(
        "double _Complex z=1; int f(void){z=5; return 2;} int main(){ z *= f(); return __real__ z; }",
        10,
    );
}
