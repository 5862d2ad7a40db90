// Words, numbers and signs of a short text; of words the letters are kept.
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void __VERIFIER_assert(int holds) {
    if (!holds)
        reach_error();
}

enum kind { END, WORD, NUMBER, SIGN };
enum { LONGEST = 4, TEXT = 8 };

struct token {
    enum kind kind;
    char word[LONGEST];
    unsigned length;
    unsigned number;
};

static int is_letter(char c) {
    return c >= 'a' && c <= 'z';
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads a token and says where the next one begins.
static const char *next(const char *at, struct token *token) {
    token->length = token->number = 0;
    while (*at == ' ')
        at++;
    if (*at == '\0') {
        token->kind = END;
    } else if (is_letter(*at)) {
        token->kind = WORD;
        for (; is_letter(*at); at++)
            if (token->length < LONGEST)
                token->word[token->length++] = *at;
    } else if (is_digit(*at)) {
        token->kind = NUMBER;
        for (; is_digit(*at); at++)
            token->number = token->number * 10 + (*at - '0');
    } else {
        token->kind = SIGN;
        at++;
    }
    return at;
}

int main(void) {
    char text[TEXT + 1] = "";
    unsigned length = __VERIFIER_nondet_uint(), tokens = 0;
    if (length > TEXT)
        return 0;
    for (unsigned i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    struct token token;
    const char *at = next(text, &token);
    for (; token.kind != END; at = next(at, &token))
        tokens++;
    __VERIFIER_assert(tokens <= length);
    return 0;
}
