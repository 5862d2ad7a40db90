// property: valid-deref
// verdict: true
// inputs:
// cause: the program has its own strlen that looks at one byte
static unsigned long strlen(const char *text) { return text[0] != 0; }
int main(void) {
    char letter = 'a';
    return strlen(&letter) != 1;
}
