// property: valid-deref
// verdict: false
// allowed: unknown
// inputs:
// cause: memcpy is declared to return an integer
extern int memcpy(char *, const char *, unsigned long);
int main(void) {
    char from[6] = "hello";
    char to[3];
    memcpy(to, from, 6);
    return to[0];
}
