// Models of <time.h> (C11 7.27, POSIX). The clocks are the environment's: two readings may be anything.

// time: C11 7.27.2.4. Linux knows no time before 1970; -1 says that there is none.
static long __lakatos_time(long *result)
{
    extern long __lakatos_nondet_long(void);
    extern void __lakatos_assume(int);
    long now = __lakatos_nondet_long();
    __lakatos_assume(now >= -1);
    if (result != 0)
        *result = now;
    return now;
}

// clock: C11 7.27.2.1. Where long has 32 bits the clock wraps around, so it is any number.
static long __lakatos_clock(void)
{
    extern long __lakatos_unknown_long(void);
    return __lakatos_unknown_long();
}

// difftime: C11 7.27.2.2. The exact difference, rounded once.
static double __lakatos_difftime(long later, long earlier)
{
    if (later < earlier)
        return -(double) ((unsigned long) earlier - (unsigned long) later);
    return (double) ((unsigned long) later - (unsigned long) earlier);
}

// struct timespec: C11 7.27.1, where time_t is long.
struct __lakatos_timespec {
    long seconds;
    long nanoseconds;
};

// struct timeval: POSIX, where time_t and suseconds_t are long.
struct __lakatos_timeval {
    long seconds;
    long microseconds;
};

// nanosleep: POSIX. It sleeps, or a signal interrupts it, or the time is none.
static int __lakatos_nanosleep(const void *request, void *remaining)
{
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    const struct __lakatos_timespec *wanted = request;
    struct __lakatos_timespec *left = remaining;
    long most = wanted->seconds;
    if (most < 0 || wanted->nanoseconds < 0 || wanted->nanoseconds > 999999999) {
        *__lakatos___errno_location() = 22; // EINVAL
        return -1;
    }
    if (__lakatos_unknown_int())
        return 0;
    if (left != 0) {
        left->seconds = __lakatos_unknown_long();
        left->nanoseconds = __lakatos_unknown_long();
        __lakatos_assume(left->seconds >= 0 && left->seconds <= most);
        __lakatos_assume(left->nanoseconds >= 0 && left->nanoseconds <= 999999999);
    }
    *__lakatos___errno_location() = 4; // EINTR
    return -1;
}

// clock_gettime: POSIX. Linux has no clock that shows negative numbers.
static int __lakatos_clock_gettime(int clock, void *result)
{
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    struct __lakatos_timespec *now = result;
    (void) clock;
    if (__lakatos_unknown_int()) {
        __lakatos_fail_somehow();
        return -1;
    }
    now->seconds = __lakatos_unknown_long();
    now->nanoseconds = __lakatos_unknown_long();
    __lakatos_assume(now->seconds >= 0);
    __lakatos_assume(now->nanoseconds >= 0 && now->nanoseconds <= 999999999);
    return 0;
}

// gettimeofday: POSIX. The time zone has to be null (POSIX leaves the rest unspecified; Linux fills the
// old structure of two ints).
static int __lakatos_gettimeofday(void *result, void *zone)
{
    extern int __lakatos_nondet_int(void);
    extern long __lakatos_nondet_long(void);
    extern void __lakatos_assume(int);
    struct __lakatos_timeval *now = result;
    int *offset = zone;
    if (now != 0) {
        now->seconds = __lakatos_nondet_long();
        now->microseconds = __lakatos_nondet_long();
        __lakatos_assume(now->seconds >= 0);
        __lakatos_assume(now->microseconds >= 0 && now->microseconds <= 999999);
    }
    if (offset != 0) {
        offset[0] = __lakatos_nondet_int();
        offset[1] = __lakatos_nondet_int();
    }
    return 0;
}
