// Runs a program that asks for inputs: `main` of the program is called in a process of its own
// for every line of the file that is named on the command line, with the numbers of that line.
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int program_main(void);

static char *rest;

static unsigned long long input(void) {
    return strtoull(rest, &rest, 16);
}

int __VERIFIER_nondet_int(void) { return input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
char __VERIFIER_nondet_char(void) { return input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
unsigned long __VERIFIER_nondet_ulong(void) { return input(); }

void reach_error(void) {
    fprintf(stderr, "reach_error is called\n");
    _exit(3);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    char line[4096];
    if (!file)
        return 2;
    while (fgets(line, sizeof line, file)) {
        pid_t child = fork();
        if (child == 0) {
            rest = line;
            program_main();
            // Not `exit`, which would set back the file that the parent reads.
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "the inputs were %s", line);
            return 1;
        }
    }
    return 0;
}
