// Splits a line at a separator, in place, into fields without leading spaces.
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long size);
extern void free(void *memory);
extern void abort(void);

enum { MOST_FIELDS = 3 };

static unsigned split(char *line, char separator, char *fields[MOST_FIELDS]) {
    unsigned count = 0;
    char *at = line;
    while (count < MOST_FIELDS) {
        while (*at == ' ')
            at++;
        fields[count++] = at;
        while (*at != '\0' && *at != separator)
            at++;
        if (*at == '\0')
            break;
        *at++ = '\0';
    }
    return count;
}

static char *any_line(unsigned length) {
    char *line = malloc(length + 1);
    if (!line)
        abort();
    for (unsigned i = 0; i < length; i++)
        line[i] = __VERIFIER_nondet_char();
    line[length] = '\0';
    return line;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 8)
        return 0;
    char *line = any_line(length);
    char *fields[MOST_FIELDS];
    unsigned letters = 0, count = split(line, ',', fields);
    for (unsigned i = 0; i < count; i++)
        for (const char *c = fields[i]; *c != '\0'; c++)
            letters++;
    free(line);
    return letters > length;
}
