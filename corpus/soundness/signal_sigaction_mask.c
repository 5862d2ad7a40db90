// property: unreach-call
// verdict: false
// allowed: unknown
// inputs:
// cause: sigaction finds the handler and the mask where glibc has them; a blocked signal comes when it is unblocked
extern void reach_error(void);
typedef struct { unsigned long words[128 / sizeof(long)]; } sigset_t;
struct sigaction { void (*handler)(int); sigset_t mask; int flags; void (*restorer)(void); };
extern int sigaction(int, const struct sigaction *, struct sigaction *);
extern int sigemptyset(sigset_t *), sigaddset(sigset_t *, int);
extern int sigprocmask(int, const sigset_t *, sigset_t *);
extern int raise(int);
static int runs;
static void on_signal(int number) { runs++; }
int main(void) {
    struct sigaction action;
    sigset_t set;
    action.handler = on_signal;
    action.flags = 0;
    sigemptyset(&action.mask);
    sigemptyset(&set);
    sigaddset(&set, 12);
    if (sigprocmask(0, &set, 0) != 0 || sigaction(12, &action, 0) != 0)
        return 0;
    raise(12);
    if (runs != 0)
        return 0;
    sigprocmask(1, &set, 0);
    if (runs == 1)
        reach_error();
    return 0;
}
