// property: unreach-call
// verdict: false
// inputs:
// note: continue in a do-while evaluates the condition, and its side effect
extern void reach_error(void);

int main(void) {
    int i = 0, body = 0;
    do {
        body++;
        if (body == 1) continue;
        i++;
    } while (i++ < 3);
    if (body == 3) reach_error();
    return 0;
}
