// Models of <signal.h> (C11 7.14, POSIX) with the numbers and layouts of Linux on x86. A handler that the program
// has registered may run before each statement of the program: the front-end calls __lakatos_interrupt there.
// In the beginning no signal is blocked, and each is handled by default or, as the environment chooses, ignored.

// What happens at a signal: the handler is null for the default (SIG_DFL) and 1 for nothing (SIG_IGN). A mask has
// a bit for each signal, that of signal 1 is the lowest one.
struct __lakatos_action {
    int number;
    int flags;
    unsigned long long bit;
    unsigned long long mask;
    void (*handler)(int);
};

// The signals that the program has said something about.
static struct __lakatos_action __lakatos_actions[8];

// How many these are.
static int __lakatos_action_count;

// The signals that are blocked.
static unsigned long long __lakatos_blocked_signals;

// The signals that were raised while they were blocked.
static unsigned long long __lakatos_pending_signals;

// The action for a signal; null if the program has said nothing about it.
static struct __lakatos_action *__lakatos_find_action(int number)
{
    int index = 0;
    while (index < __lakatos_action_count) {
        if (__lakatos_actions[index].number == number)
            return &__lakatos_actions[index];
        index++;
    }
    return 0;
}

// Whether there is a function for it.
static int __lakatos_is_caught(
    const struct __lakatos_action *action)
{
    return action->handler != 0 && action->handler != (void (*)(int)) 1;
}

// The action for a signal, a new one if there is none yet. Of more than eight signals nothing is known (null).
static struct __lakatos_action *__lakatos_make_action(int number)
{
    extern _Bool __lakatos_nondet_bool(void);
    struct __lakatos_action *action = __lakatos_find_action(number);
    if (action == 0 && __lakatos_action_count < 8) {
        action = &__lakatos_actions[__lakatos_action_count];
        action->number = number;
        action->bit = 1ULL << (number - 1);
        action->handler = (void (*)(int)) 0;
        // Who starts the program may have it ignore signals.
        if (number != 9 && number != 19 && __lakatos_nondet_bool())
            action->handler = (void (*)(int)) 1;
        __lakatos_action_count++;
    }
    return action;
}

// Calls the handler of a signal, which is blocked meanwhile.
static void __lakatos_handle_signal(
    struct __lakatos_action *action)
{
    unsigned long long before = __lakatos_blocked_signals;
    void (*handler)(int) = action->handler;
    if ((action->flags & 0x40000000) == 0) // SA_NODEFER
        __lakatos_blocked_signals |= action->bit;
    __lakatos_blocked_signals |= action->mask;
    if (action->flags < 0) // SA_RESETHAND
        action->handler = (void (*)(int)) 0;
    handler(action->number);
    __lakatos_blocked_signals = before;
}

// Whether a signal does nothing where it is not caught: SIGCHLD, SIGCONT, SIGURG and SIGWINCH, and those that
// stop the program until it is told to go on, SIGSTOP, SIGTSTP, SIGTTIN and SIGTTOU.
static int __lakatos_is_harmless_signal(int number)
{
    return (number >= 17 && number <= 23) || number == 28;
}

// A signal that is not blocked comes.
static void __lakatos_deliver_signal(int number)
{
    extern _Bool __lakatos_unknown_bool(void);
    struct __lakatos_action *action = __lakatos_find_action(number);
    if (action != 0 && __lakatos_is_caught(action)) {
        __lakatos_handle_signal(action);
        return;
    }
    if (__lakatos_is_harmless_signal(number))
        return;
    if (action != 0 && action->handler != 0)
        return;
    // It may be ignored from the beginning; SIGKILL cannot be.
    if (action == 0 && number != 9 && __lakatos_unknown_bool())
        return;
    __builtin_abort();
}

// The signals that were raised while they were blocked, and are not any more, come in any order.
static void __lakatos_deliver_pending_signals(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    unsigned long long ready = __lakatos_pending_signals & ~__lakatos_blocked_signals;
    while (ready != 0) {
        int number = __lakatos_nondet_int();
        __lakatos_assume(number >= 1 && number <= 64);
        __lakatos_assume((ready >> (number - 1) & 1) != 0);
        __lakatos_pending_signals &= ~(1ULL << (number - 1));
        __lakatos_deliver_signal(number);
        ready = __lakatos_pending_signals & ~__lakatos_blocked_signals;
    }
}

// One of the signals that the program catches comes from outside, and is not blocked.
static void __lakatos_receive_signal(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int index = __lakatos_nondet_int();
    __lakatos_assume(index >= 0 && index < __lakatos_action_count);
    __lakatos_assume(__lakatos_is_caught(&__lakatos_actions[index]));
    __lakatos_assume((__lakatos_actions[index].bit & __lakatos_blocked_signals) == 0);
    __lakatos_handle_signal(&__lakatos_actions[index]);
    __lakatos_deliver_pending_signals();
}

// What happens before each statement: signals come, or none.
static void __lakatos_interrupt(void)
{
    extern _Bool __lakatos_nondet_bool(void);
    while (__lakatos_action_count > 0 && __lakatos_nondet_bool())
        __lakatos_receive_signal();
}

// Whether a program can choose what happens at a signal. 32 and 33 belong to glibc.
static int __lakatos_is_free_signal(int number)
{
    return number >= 1 && number <= 64 && number != 9 && number != 19 && number != 32 && number != 33;
}

// signal and its relatives: the earlier handler, or SIG_ERR with EINVAL. A program that uses it calls
// __lakatos_interrupt before each statement, and __lakatos_before_abort.
static void (*__lakatos_set_handler(int number, void (*handler)(int), int flags))(int)
{
    extern void (*__lakatos_gap_signal(int, void (*)(int)))(int);
    struct __lakatos_action *action;
    void (*before)(int);
    if (!__lakatos_is_free_signal(number) || handler == (void (*)(int)) -1L) {
        __lakatos_errno_value = 22; // EINVAL
        return (void (*)(int)) -1L;
    }
    action = __lakatos_make_action(number);
    if (action == 0)
        return __lakatos_gap_signal(number, handler);
    before = action->handler;
    action->handler = handler;
    if (handler == (void (*)(int)) 1)
        __lakatos_pending_signals &= ~action->bit;
    action->flags = flags;
    action->mask = 0;
    return before;
}

// signal: C11 7.14.1.1. As BSD does it: the handler stays, and the signal is blocked while it runs.
// Assumption about signals: a signal handler runs between statements, never inside one
static void (*__lakatos_signal(int number, void (*handler)(int)))(int)
{
    return __lakatos_set_handler(number, handler, 0x10000000); // SA_RESTART
}

// bsd_signal: POSIX.1-2001, glibc's signal.
// Assumption about signals: a signal handler runs between statements, never inside one
static void (*__lakatos_bsd_signal(int number, void (*handler)(int)))(int)
{
    return __lakatos_set_handler(number, handler, 0x10000000); // SA_RESTART
}

// ssignal: glibc's other name of signal.
// Assumption about signals: a signal handler runs between statements, never inside one
static void (*__lakatos_ssignal(int number, void (*handler)(int)))(int)
{
    return __lakatos_set_handler(number, handler, 0x10000000); // SA_RESTART
}

// __sysv_signal: what signal is with -D_XOPEN_SOURCE: the handler is used once, and nothing is blocked.
// Assumption about signals: a signal handler runs between statements, never inside one
static void (*__lakatos___sysv_signal(int number, void (*handler)(int)))(int)
{
    return __lakatos_set_handler(number, handler, -0x20000000); // SA_RESETHAND, SA_NODEFER, SA_INTERRUPT
}

// sysv_signal: glibc (System V).
// Assumption about signals: a signal handler runs between statements, never inside one
static void (*__lakatos_sysv_signal(int number, void (*handler)(int)))(int)
{
    return __lakatos_set_handler(number, handler, -0x20000000); // SA_RESETHAND, SA_NODEFER, SA_INTERRUPT
}

// The signals in a sigset_t: its first 64 bits. The C library uses no others.
static unsigned long long __lakatos_signals_in(const void *set)
{
    const unsigned long *words = set;
    if (sizeof(long) == 8)
        return words[0];
    return words[0] | (unsigned long long) words[1] << 16 << 16;
}

// Writes these bits.
static void __lakatos_put_signals(void *set, unsigned long long signals)
{
    unsigned long *words = set;
    words[0] = (unsigned long) signals;
    if (sizeof(long) != 8)
        words[1] = (unsigned long) (signals >> 32);
}

// struct sigaction: POSIX, in the order of glibc.
struct __lakatos_sigaction_members {
    void (*handler)(int);
    unsigned long mask[128 / sizeof(long)];
    int flags;
    void (*restorer)(void);
};

// sigaction: POSIX. 0, or -1 with EINVAL. What the restorer was is not known. Of handlers that take three
// arguments (SA_SIGINFO) nothing is known. A program that uses it calls __lakatos_interrupt before each statement,
// and __lakatos_before_abort.
// Assumption about signals: a signal handler runs between statements, never inside one
static int __lakatos_sigaction(int number, const void *new, void *old)
{
    extern int __lakatos_gap_sigaction(int, const void *, void *);
    extern _Bool __lakatos_unknown_bool(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    const struct __lakatos_sigaction_members *wanted = new;
    struct __lakatos_sigaction_members *found = old;
    struct __lakatos_action *action;
    struct __lakatos_action before;
    if (number < 1 || number > 64 || (new != 0 && !__lakatos_is_free_signal(number))) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    if (new != 0 && (wanted->flags & 4) != 0) // SA_SIGINFO
        return __lakatos_gap_sigaction(number, new, old);
    action = __lakatos_make_action(number);
    if (action == 0)
        return __lakatos_gap_sigaction(number, new, old);
    before = *action;
    if (new != 0) {
        action->handler = wanted->handler;
        action->flags = wanted->flags;
        // SIGKILL and SIGSTOP cannot be blocked.
        action->mask = __lakatos_signals_in(wanted->mask) & ~0x40100ULL;
        if (action->handler == (void (*)(int)) 1)
            __lakatos_pending_signals &= ~action->bit;
    }
    if (old != 0) {
        found->handler = before.handler;
        __lakatos_put_signals(found->mask, before.mask);
        found->flags = before.flags;
        // SA_RESTORER
        if (__lakatos_unknown_bool())
            found->flags |= 0x04000000;
        found->restorer = (void (*)(void)) __lakatos_unknown_ulong();
    }
    return 0;
}

// abort: C11 7.22.4.1. What happens before the program ends: SIGABRT is unblocked and raised. The front-end
// calls it.
static void __lakatos_before_abort(void)
{
    __lakatos_blocked_signals &= ~0x20ULL;
    __lakatos_deliver_signal(6); // SIGABRT
}

// raise: C11 7.14.2.1. The signal comes at once, or when it is not blocked any more. -1 with EINVAL.
static int __lakatos_raise(int number)
{
    if (number < 0 || number > 64) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    if (number == 0)
        return 0;
    if (((__lakatos_blocked_signals >> (number - 1)) & 1) != 0) {
        __lakatos_pending_signals |= 1ULL << (number - 1);
        return 0;
    }
    __lakatos_deliver_signal(number);
    __lakatos_deliver_pending_signals();
    return 0;
}

// gsignal: glibc's other name of raise.
static int __lakatos_gsignal(int number)
{
    return __lakatos_raise(number);
}

// kill: POSIX. -1 with errno, or 0. Which processes there are is not known, nor whether this is one of those
// that get the signal. 0 stands for its own group.
static int __lakatos_kill(int process, int number)
{
    extern _Bool __lakatos_unknown_bool(void);
    if (number < 0 || number > 64) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    if (process != 0 && __lakatos_uncertain_outcome() != 0)
        return -1;
    if (process == 0 || __lakatos_unknown_bool())
        return __lakatos_raise(number);
    return 0;
}

// killpg: POSIX.
static int __lakatos_killpg(int group, int number)
{
    if (group < 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    return __lakatos_kill(group == 0 ? 0 : -1, number);
}

// sigemptyset: POSIX. -1 with EINVAL for null, which glibc allows.
static int __lakatos_sigemptyset(void *set)
{
    if (set == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, 0);
    return 0;
}

// sigfillset: POSIX. All but 32 and 33, which belong to glibc.
static int __lakatos_sigfillset(void *set)
{
    if (set == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, 0xfffffffe7fffffff);
    return 0;
}

// sigaddset: POSIX. -1 with EINVAL.
static int __lakatos_sigaddset(void *set, int number)
{
    if (set == 0 || number < 1 || number > 64 || number == 32 || number == 33) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, __lakatos_signals_in(set) | 1ULL << (number - 1));
    return 0;
}

// sigdelset: POSIX. -1 with EINVAL.
static int __lakatos_sigdelset(void *set, int number)
{
    if (set == 0 || number < 1 || number > 64 || number == 32 || number == 33) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, __lakatos_signals_in(set) & ~(1ULL << (number - 1)));
    return 0;
}

// sigismember: POSIX. 1, 0, or -1 with EINVAL.
static int __lakatos_sigismember(const void *set, int number)
{
    if (set == 0 || number < 1 || number > 64) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    return (__lakatos_signals_in(set) >> (number - 1) & 1) != 0;
}

// sigisemptyset: glibc.
static int __lakatos_sigisemptyset(const void *set)
{
    if (set == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    return __lakatos_signals_in(set) == 0;
}

// sigandset: glibc.
static int __lakatos_sigandset(void *set, const void *left, const void *right)
{
    if (set == 0 || left == 0 || right == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, __lakatos_signals_in(left) & __lakatos_signals_in(right));
    return 0;
}

// sigorset: glibc.
static int __lakatos_sigorset(void *set, const void *left, const void *right)
{
    if (set == 0 || left == 0 || right == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_put_signals(set, __lakatos_signals_in(left) | __lakatos_signals_in(right));
    return 0;
}

// Blocks (0), unblocks (1) or sets (2) signals; 0 or EINVAL. Both sets may be null.
static int __lakatos_change_mask(int how, const void *set, void *old)
{
    unsigned long long before = __lakatos_blocked_signals;
    unsigned long long signals;
    if (set != 0) {
        // Not SIGKILL, SIGSTOP and the two of glibc.
        signals = __lakatos_signals_in(set) & ~0x180040100ULL;
        if (how < 0 || how > 2)
            return 22; // EINVAL
        if (how == 0)
            __lakatos_blocked_signals |= signals;
        else if (how == 1)
            __lakatos_blocked_signals &= ~signals;
        else
            __lakatos_blocked_signals = signals;
    }
    if (old != 0)
        __lakatos_put_signals(old, before);
    __lakatos_deliver_pending_signals();
    return 0;
}

// sigprocmask: POSIX. 0, or -1 with EINVAL.
static int __lakatos_sigprocmask(int how, const void *set, void *old)
{
    if (__lakatos_change_mask(how, set, old) == 0)
        return 0;
    __lakatos_errno_value = 22; // EINVAL
    return -1;
}

// pthread_sigmask: POSIX. 0, or EINVAL.
static int __lakatos_pthread_sigmask(int how, const void *set, void *old)
{
    return __lakatos_change_mask(how, set, old);
}

// sigpending: POSIX. A blocked signal may have come from outside.
static int __lakatos_sigpending(void *set)
{
    extern unsigned long long __lakatos_unknown_ulonglong(void);
    unsigned long long outside = __lakatos_unknown_ulonglong() & __lakatos_blocked_signals;
    __lakatos_put_signals(set, __lakatos_pending_signals | outside);
    return 0;
}

// pause: POSIX. It comes back after a handler has run: -1 with EINTR.
static int __lakatos_pause(void)
{
    __lakatos_receive_signal();
    __lakatos_errno_value = 4; // EINTR
    return -1;
}

// sigsuspend: POSIX. The same with other signals blocked.
static int __lakatos_sigsuspend(const void *set)
{
    extern _Bool __lakatos_nondet_bool(void);
    unsigned long long before = __lakatos_blocked_signals;
    __lakatos_blocked_signals = __lakatos_signals_in(set) & ~0x180040100ULL;
    if ((__lakatos_pending_signals & ~__lakatos_blocked_signals) != 0)
        __lakatos_deliver_pending_signals();
    else
        __lakatos_receive_signal();
    __lakatos_blocked_signals = before;
    __lakatos_errno_value = 4; // EINTR
    return -1;
}

// siginterrupt: POSIX. Which functions a signal interrupts is the environment's.
static int __lakatos_siginterrupt(int number, int interrupts)
{
    (void) interrupts;
    if (__lakatos_is_free_signal(number))
        return 0;
    __lakatos_errno_value = 22; // EINVAL
    return -1;
}

// psignal: POSIX. It only writes to stderr.
static void __lakatos_psignal(int number, const char *text)
{
    (void) number;
    if (text != 0)
        (void) __builtin_strlen(text);
    __lakatos_succeed_somehow();
}

// alarm: POSIX. The seconds that were left, if there was an alarm. SIGALRM comes between statements, as others.
static unsigned int __lakatos_alarm(unsigned int seconds)
{
    extern unsigned int __lakatos_unknown_uint(void);
    (void) seconds;
    return __lakatos_unknown_uint();
}

// ualarm: POSIX.1-2001. The same in microseconds.
static unsigned int __lakatos_ualarm(unsigned int microseconds, unsigned int interval)
{
    extern unsigned int __lakatos_unknown_uint(void);
    (void) microseconds;
    (void) interval;
    return __lakatos_unknown_uint();
}
