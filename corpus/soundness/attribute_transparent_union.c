// property: unreach-call
// verdict: true
// note: an argument for a transparent union is a value of one of its members
extern void reach_error(void);

typedef union { unsigned *word; const char *text; } either __attribute__((transparent_union));

static void set(either e) { *e.word = 3; }

int main(void) {
    unsigned n = 0;
    set(&n);
    if (n != 3) reach_error();
    return 0;
}
