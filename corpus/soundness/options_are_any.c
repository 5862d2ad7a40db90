// property: unreach-call
// verdict: false
// allowed: unknown
// cause: getopt gives any option of its text, and says where its argument is
extern int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind;
extern void reach_error(void);
int main(int argc, char **argv) {
    int option, verbose = 0;
    while ((option = getopt(argc, argv, "vo:")) != -1)
        if (option == 'v')
            verbose = 1;
    if (verbose && optind < argc)
        reach_error();
    return 0;
}
