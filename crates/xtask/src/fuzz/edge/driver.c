// Runs the programs of a batch with every input, each run in a process of its own, and prints a
// line for each: program, run, end, values, lost memory, what a sanitizer or the system said.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VALUES = 4 };
enum end { UNFINISHED, RETURNED, BLOCKED, REACHED };
struct shared {
    int end;
    int seen;
    int values[VALUES];
    int lost;
};
static struct shared *shared;
static unsigned char inputs[RUNS][2] = { INPUTS };
static int run, next;

extern size_t __sanitizer_get_current_allocated_bytes(void);
DECLARATIONS
static int (*const mains[])(void) = { MAINS };

unsigned char __VERIFIER_nondet_uchar(void) { return next < 2 ? inputs[run][next++] : 0; }
void __VERIFIER_assume(int holds) {
    if (!holds) {
        shared->end = BLOCKED;
        _exit(0);
    }
}
void reach_error(void) {
    shared->end = REACHED;
    _exit(0);
}
void fuzz_observe(int at, int value) {
    shared->values[at] = value;
    shared->seen |= 1 << at;
}

static void child(int program) {
    int report = open("report", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(report, 2);
    alarm(5);
    size_t before = __sanitizer_get_current_allocated_bytes();
    mains[program]();
    shared->lost = __sanitizer_get_current_allocated_bytes() > before;
    shared->end = RETURNED;
    _exit(0);
}

static const char *said(void) {
    static char text[1 << 16];
    int report = open("report", O_RDONLY);
    ssize_t length = report < 0 ? 0 : read(report, text, sizeof text - 1);
    close(report);
    text[length < 0 ? 0 : length] = 0;
    static const char *const words[] = { "Sanitizer: ", "runtime error: " };
    for (int i = 0; i < 2; i++) {
        char *found = strstr(text, words[i]);
        if (found) {
            char *line = strchr(found, '\n');
            if (line)
                *line = 0;
            return found;
        }
    }
    return "";
}

int main(void) {
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int program = 0; program < (int)(sizeof mains / sizeof *mains); program++) {
        for (run = 0; run < RUNS; run++) {
            memset(shared, 0, sizeof *shared);
            int report = open("report", O_WRONLY | O_CREAT | O_TRUNC, 0600);
            close(report);
            fflush(stdout);
            int id = fork(), status = 0;
            if (id == 0)
                child(program);
            waitpid(id, &status, 0);
            int killed = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            printf("%d %d %d %d %d", program, run, shared->end, killed, shared->lost);
            for (int i = 0; i < VALUES; i++)
                if (shared->seen & 1 << i)
                    printf(" %d", shared->values[i]);
            printf("|%s\n", said());
        }
    }
    return 0;
}
