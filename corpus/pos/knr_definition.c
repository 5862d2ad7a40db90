// property: unreach-call
// verdict: true
// note: old-style definitions: arguments are promoted, parameters convert back
extern int __VERIFIER_nondet_int();
extern void reach_error();

int low(c, scale, flags)
    char c;
    unsigned flags;
{
    return c * scale + (int)(flags & 1);
}

main() {
    int x = __VERIFIER_nondet_int();
    int r = low((char)x, 2, 3u);
    if (r < -255 || r > 255) reach_error();
    if (low('a', 1, 0u) != 97) reach_error();
    return 0;
}
