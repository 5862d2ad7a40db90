int sscanf(const char *, const char *, ...);

static void three(const char *text, const char *format) {
    int a = 91, b = 92, c = 93;
    int r = sscanf(text, format, &a, &b, &c);
    printf("%d: %d %d %d\n", r, a, b, c);
}

static void words(const char *text, const char *format) {
    char s[16] = "!!!!!!!!!!!!!!!", t[16] = "???????????????";
    int r = sscanf(text, format, s, t);
    s[15] = t[15] = 0;
    printf("%d: [%s] [%s]\n", r, s, t);
}

int main(void) {
    three("1 2 3", "%d%d%d");
    three("  12,-5;7", "%d,%d;%d");
    three("12 x 4", "%d %d %d");
    three("", "%d");
    three("   ", "%d");
    three("x", "%d");
    three("12345", "%2d%2d%d");
    three("0x1f 077 10", "%i %i %i");
    three("ff 17 4294967295", "%x %o %u");
    three("7:8", "%d:%*d%d");
    three("7:8 9", "%d:%*d%d");
    three("50%", "%d%%%n");
    three("abc 5", "abc %d%n");
    three("ab", "abc%d");
    three("+5-6", "%d%d%d");
    words("hello world", "%s %s");
    words("hello world", "%3s%s");
    words("key=value;", "%[^=]=%[a-z]");
    words("abc]123", "%[]a-c]%[0-9]");
    words("xyz", "%c%2c");
    words("xyz", "%[0-9]");
    words("  lead", "%c%s");
    words("one", "%s %s");
    long l = 0; long long ll = 0; short h = 0; signed char hh = 0;
    int r = sscanf("-5 9000000000 -7 8", "%ld %lld %hd %hhd", &l, &ll, &h, &hh);
    printf("%d: %ld %lld %d %d\n", r, l, ll, h, hh);
    return 0;
}
