// property: unreach-call
// verdict: true
// note: a loop that recurses in its body; count() visits every node of a complete tree
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int count(int depth) {
    int nodes = 1;
    for (int child = 0; child < 2 && depth > 0; child++) nodes += count(depth - 1);
    return nodes;
}

int main(void) {
    int depth = __VERIFIER_nondet_int();
    if (depth < 0 || depth > 6) return 0;
    if (count(depth) != (2 << depth) - 1) reach_error();
    return 0;
}
