// Models of <fenv.h> (C11 7.6) with the numbers of x86. Arithmetic rounds to nearest: of a program that asks for
// another mode nothing is known. Which exceptions were raised is not followed, so any may be.

// feclearexcept: C11 7.6.2.1.
static int __lakatos_feclearexcept(int exceptions)
{
    (void) exceptions;
    return 0;
}

// feraiseexcept: C11 7.6.2.3. Nothing else happens as long as none is trapped, in the beginning.
static int __lakatos_feraiseexcept(int exceptions)
{
    (void) exceptions;
    return 0;
}

// fesetexcept: C23 7.6.4.4.
static int __lakatos_fesetexcept(int exceptions)
{
    (void) exceptions;
    return 0;
}

// fetestexcept: C11 7.6.2.5. Any of those that are asked for.
static int __lakatos_fetestexcept(int exceptions)
{
    extern int __lakatos_unknown_int(void);
    return __lakatos_unknown_int() & exceptions & 61;
}

// fegetround: C11 7.6.3.1. FE_TONEAREST: there is no other mode.
static int __lakatos_fegetround(void)
{
    return 0;
}

// fesetround: C11 7.6.3.2. The modes are 0, 0x400, 0x800 and 0xc00; other numbers fail.
static int __lakatos_fesetround(int mode)
{
    extern int __lakatos_gap_fesetround(int);
    if (mode == 0)
        return 0;
    if ((mode & ~0xc00) != 0)
        return 1;
    return __lakatos_gap_fesetround(mode);
}

// The size of fenv_t.
static unsigned long __lakatos_environment_size(void)
{
    return sizeof(long) == 8 ? 32 : 28;
}

// fegetenv: C11 7.6.4.1. What is in the object is not known.
static int __lakatos_fegetenv(void *environment)
{
    __lakatos_any_bytes(environment, __lakatos_environment_size());
    return 0;
}

// feholdexcept: C11 7.6.4.2.
static int __lakatos_feholdexcept(void *environment)
{
    __lakatos_any_bytes(environment, __lakatos_environment_size());
    return 0;
}

// fesetenv: C11 7.6.4.3. The object is one of fegetenv or feholdexcept, where the mode was to nearest. -1 stands
// for the environment of the beginning (FE_DFL_ENV), and -2 for one where exceptions end the program.
static int __lakatos_fesetenv(const void *environment)
{
    extern int __lakatos_gap_fesetenv(const void *);
    if (environment == (const void *) -2L)
        return __lakatos_gap_fesetenv(environment);
    if (environment != (const void *) -1L)
        __lakatos_read_memory(environment, __lakatos_environment_size());
    return 0;
}

// feupdateenv: C11 7.6.4.4.
static int __lakatos_feupdateenv(const void *environment)
{
    return __lakatos_fesetenv(environment);
}

// fegetexceptflag: C11 7.6.2.2. fexcept_t is unsigned short.
static int __lakatos_fegetexceptflag(unsigned short *flags, int exceptions)
{
    extern unsigned short __lakatos_unknown_ushort(void);
    *flags = (unsigned short) (__lakatos_unknown_ushort() & exceptions & 61);
    return 0;
}

// fesetexceptflag: C11 7.6.2.4.
static int __lakatos_fesetexceptflag(const unsigned short *flags, int exceptions)
{
    unsigned short read = *flags;
    (void) read;
    (void) exceptions;
    return 0;
}

// feenableexcept: glibc. From here on an exception ends the program: nothing is known of that. The result is those
// that did so before.
static int __lakatos_feenableexcept(int exceptions)
{
    extern int __lakatos_gap_feenableexcept(int);
    if ((exceptions & 61) == 0)
        return 0;
    return __lakatos_gap_feenableexcept(exceptions);
}

// fedisableexcept: glibc. None ends the program.
static int __lakatos_fedisableexcept(int exceptions)
{
    (void) exceptions;
    return 0;
}

// fegetexcept: glibc. None ends the program.
static int __lakatos_fegetexcept(void)
{
    return 0;
}
