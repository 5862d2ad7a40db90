// property: unreach-call
// verdict: true
// note: never returns; safe because k only grows until signed overflow ends the path
extern void reach_error(void);

void rec(int k) {
    if (k <= 0) reach_error();
    rec(k + 1);
}

int main(void) {
    rec(1);
    return 0;
}
