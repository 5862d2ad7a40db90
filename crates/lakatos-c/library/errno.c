// Models of <errno.h> (C11 7.5). There is one thread, so there is one errno.

// errno is 0 at program startup (C11 7.5p3).
static int __lakatos_errno_value;

// __errno_location: the macro errno of glibc and musl is *__errno_location().
static int *__lakatos___errno_location(void)
{
    return &__lakatos_errno_value;
}

// errno after a failure whose reason the environment chooses: one of the numbers of Linux.
static void __lakatos_fail_somehow(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int reason = __lakatos_nondet_int();
    __lakatos_assume(reason > 0 && reason <= 133);
    __lakatos_errno_value = reason;
}

// errno after a success: a function that does not promise to leave it may set it (C11 7.5p3).
static void __lakatos_succeed_somehow(void)
{
    extern int __lakatos_nondet_int(void);
    if (__lakatos_nondet_int())
        __lakatos_fail_somehow();
}
