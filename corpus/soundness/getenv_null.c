// property: valid-deref
// verdict: false
// inputs:
// cause: a variable of the environment may be missing
extern char *getenv(const char *);
int main(void) {
    return getenv("LAKATOS_NO_SUCH_VARIABLE")[0] == 'x';
}
