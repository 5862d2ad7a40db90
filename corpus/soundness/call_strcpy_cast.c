// property: valid-deref
// verdict: false
// inputs:
// cause: strcpy through a cast overflows
extern char *strcpy(char *, const char *);
int main(void) {
    char small[4];
    ((char *(*)(char *, const char *))strcpy)(small, "large");
    return small[0];
}
