// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// externals: struct handlers { int count; void (*warn)(void); void (*fail)(void); }; void install(const struct handlers *h) { h->fail(); }
// cause: a record that holds an error function is given to an external function
extern void reach_error(void);
struct handlers {
    int count;
    void (*warn)(void);
    void (*fail)(void);
};
extern void install(const struct handlers *);
int main(void) {
    struct handlers handlers = { 2, 0, reach_error };
    install(&handlers);
    return 0;
}
