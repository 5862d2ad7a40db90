// property: unreach-call
// verdict: true
// allowed: unknown
// cause: an option with an argument has one, and getopt gives no letter that is none of its options
extern int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind;
extern void reach_error(void);
int main(int argc, char **argv) {
    int option = getopt(argc, argv, "vo:");
    if (option == 'o' && optarg == 0)
        reach_error();
    if (option != 'o' && option != 'v' && option != '?' && option != -1)
        reach_error();
    if (option != -1 && argc < 2)
        reach_error();
    return 0;
}
