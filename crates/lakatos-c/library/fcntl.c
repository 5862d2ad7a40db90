// Models of <fcntl.h> (POSIX). What the system answers is the environment's.

// open: POSIX. Only with O_CREAT (64) and O_TMPFILE there is a mode.
static int __lakatos_open(const char *path, int flags, ...)
{
    (void) flags;
    (void) __builtin_strlen(path);
    return __lakatos_any_descriptor();
}

// open64: glibc (LFS).
static int __lakatos_open64(const char *path, int flags, ...)
{
    return __lakatos_open(path, flags);
}

// __open_2: glibc's fortified open, for flags that need no mode.
static int __lakatos___open_2(const char *path, int flags)
{
    if ((flags & 64) != 0 || (flags & 0x410000) == 0x410000)
        __builtin_abort();
    return __lakatos_open(path, flags);
}

// openat: POSIX.
static int __lakatos_openat(int directory, const char *path, int flags, ...)
{
    (void) directory;
    return __lakatos_open(path, flags);
}

// creat: POSIX.
static int __lakatos_creat(const char *path, unsigned int mode)
{
    (void) mode;
    return __lakatos_open(path, 0);
}

// creat64: glibc (LFS).
static int __lakatos_creat64(const char *path, unsigned int mode)
{
    (void) mode;
    return __lakatos_open(path, 0);
}

// fcntl: POSIX. The commands up to F_SETFL (4) have numbers as arguments; of others nothing is known.
static int __lakatos_fcntl(int file, int command, ...)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    extern int __lakatos_gap_fcntl(int, int);
    int result = __lakatos_unknown_int();
    if ((command < 0 || command > 4) && command != 1030) // F_DUPFD_CLOEXEC
        return __lakatos_gap_fcntl(file, command);
    __lakatos_assume(result >= -1);
    if (result < 0)
        __lakatos_fail_somehow();
    return result;
}
