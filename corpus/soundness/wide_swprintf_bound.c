// property: valid-deref
// verdict: true
// allowed: unknown
// inputs:
// cause: swprintf writes at most as many wide characters as it was told
extern int swprintf(int *, unsigned long, const int *, ...);
int main(void) {
    int text[8];
    const int format[] = { '%', 'd', 0 };
    swprintf(text, 8, format, 12345);
    return 0;
}
