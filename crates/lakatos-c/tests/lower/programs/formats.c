typedef __builtin_va_list va_list;
int vsnprintf(char *, unsigned long, const char *, va_list);
int snprintf(char *, unsigned long, const char *, ...);
int sprintf(char *, const char *, ...);
int asprintf(char **, const char *, ...);
void free(void *);

static char buffer[64];

static void show(unsigned long room, const char *format, ...) {
    va_list ap;
    for (int i = 0; i < 63; i++) buffer[i] = '!';
    __builtin_va_start(ap, format);
    int length = vsnprintf(buffer, room, format, ap);
    __builtin_va_end(ap);
    printf("%d [%s]", length, room ? buffer : "-");
    printf(room && room < 64 && buffer[room] != '!' ? " over\n" : "\n");
}

int main(void) {
    const char *formats[] = {"%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|",
                             "%x", "%#x", "%#X", "%o", "%#o", "%u", "%hhd", "%hd", "%hhu", "%c"};
    int values[] = {0, 7, -42, 2147483647, -2147483647 - 1};
    for (int f = 0; f < 19; f++)
        for (int v = 0; v < 5; v++)
            if (f < 18 || values[v] == 7) show(64, formats[f], values[v]);
    show(64, "%s|%8s|%-8s|%.2s|%.*s|%*s", "abc", "de", "fg", "hij", 1, "kl", -4, "m");
    show(64, "%ld %lld %lu %zu %jd", -1L, 1LL << 62, ~0UL, 12345678901UL, -5LL);
    show(64, "100%%%c%s", 'x', "");
    show(4, "%s", "abcdef");
    show(1, "%d", 12);
    show(0, "%d", 123);
    int n = 0, length = sprintf(buffer, "ab%ncd", &n);
    printf("%d %d %s\n", length, n, buffer);
    const char *format = "%d-%s";
    length = snprintf(buffer, 8, format, 12, "wxyz");
    printf("%d %s\n", length, buffer);
    char *text = 0;
    length = asprintf(&text, "%05d%s", -3, "end");
    printf("%d %s\n", length, text);
    free(text);
    return 0;
}
