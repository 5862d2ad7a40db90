// Models of <unistd.h> (POSIX). What the system answers is the environment's: every call may fail.

// The program's memory is read, as when its bytes are written to a file.
static void __lakatos_read_memory(const void *memory, unsigned long size)
{
    const unsigned char *bytes = memory;
    unsigned long index = 0;
    while (index < size) {
        unsigned char byte = bytes[index];
        (void) byte;
        index++;
    }
}

// Bytes from outside are written to the program's memory.
static void __lakatos_fill_memory(void *memory, unsigned long size)
{
    extern char __lakatos_nondet_char(void);
    char *bytes = memory;
    unsigned long index = 0;
    while (index < size) {
        bytes[index] = __lakatos_nondet_char();
        index++;
    }
}

// Success, 0, or a failure, -1 with errno.
static int __lakatos_any_outcome(void)
{
    extern int __lakatos_nondet_int(void);
    if (__lakatos_nondet_int()) {
        __lakatos_succeed_somehow();
        return 0;
    }
    __lakatos_fail_somehow();
    return -1;
}

// The same of something that the program may know the outcome of.
static int __lakatos_uncertain_outcome(void)
{
    extern int __lakatos_unknown_int(void);
    if (__lakatos_unknown_int())
        return 0;
    __lakatos_fail_somehow();
    return -1;
}

// A count of at most so many bytes, or a failure, -1 with errno.
static long __lakatos_any_count(unsigned long most)
{
    extern long __lakatos_nondet_long(void);
    extern void __lakatos_assume(int);
    long count = __lakatos_nondet_long();
    __lakatos_assume(count >= -1);
    if (count < 0)
        __lakatos_fail_somehow();
    else
        __lakatos_assume((unsigned long) count <= most);
    return count;
}

// getpid: POSIX. Any process; no two answers are related, since a child is another process.
static int __lakatos_getpid(void)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int process = __lakatos_unknown_int();
    __lakatos_assume(process > 0);
    return process;
}

// getppid: POSIX. Any process; 0 is one outside of the name space.
static int __lakatos_getppid(void)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int process = __lakatos_unknown_int();
    __lakatos_assume(process >= 0);
    return process;
}

// getuid: POSIX. Any user.
static unsigned int __lakatos_getuid(void)
{
    extern unsigned int __lakatos_unknown_uint(void);
    return __lakatos_unknown_uint();
}

// geteuid: POSIX. Any user.
static unsigned int __lakatos_geteuid(void)
{
    extern unsigned int __lakatos_unknown_uint(void);
    return __lakatos_unknown_uint();
}

// getgid: POSIX. Any group.
static unsigned int __lakatos_getgid(void)
{
    extern unsigned int __lakatos_unknown_uint(void);
    return __lakatos_unknown_uint();
}

// getegid: POSIX. Any group.
static unsigned int __lakatos_getegid(void)
{
    extern unsigned int __lakatos_unknown_uint(void);
    return __lakatos_unknown_uint();
}

// isatty: POSIX. 1, or 0 with errno.
static int __lakatos_isatty(int file)
{
    extern int __lakatos_unknown_int(void);
    (void) file;
    if (__lakatos_unknown_int())
        return 1;
    __lakatos_fail_somehow();
    return 0;
}

// close: POSIX.
static int __lakatos_close(int file)
{
    (void) file;
    return __lakatos_uncertain_outcome();
}

// read: POSIX. Any bytes, and any number of them up to the size.
static long __lakatos_read(int file, void *memory, unsigned long size)
{
    long count = __lakatos_any_count(size);
    (void) file;
    if (count > 0)
        __lakatos_fill_memory(memory, (unsigned long) count);
    return count;
}

// __read_chk: glibc's fortified read; room is the size of the memory's object.
static long __lakatos___read_chk(int file, void *memory, unsigned long size, unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __lakatos_read(file, memory, size);
}

// write: POSIX. All of the memory is read; any part of it may have been written.
static long __lakatos_write(int file, const void *memory, unsigned long size)
{
    (void) file;
    __lakatos_read_memory(memory, size);
    return __lakatos_any_count(size);
}

// lseek: POSIX. An offset, or -1 with errno. Some devices have negative offsets.
static long __lakatos_lseek(int file, long offset, int origin)
{
    extern long __lakatos_unknown_long(void);
    long result = __lakatos_unknown_long();
    (void) file;
    (void) offset;
    (void) origin;
    if (result == -1)
        __lakatos_fail_somehow();
    return result;
}

// unlink: POSIX.
static int __lakatos_unlink(const char *path)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// rmdir: POSIX.
static int __lakatos_rmdir(const char *path)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// chdir: POSIX.
static int __lakatos_chdir(const char *path)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// access: POSIX.
static int __lakatos_access(const char *path, int mode)
{
    (void) mode;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// sleep: POSIX. 0, or the seconds that were left when a signal came.
static unsigned int __lakatos_sleep(unsigned int seconds)
{
    extern unsigned int __lakatos_unknown_uint(void);
    extern void __lakatos_assume(int);
    unsigned int left = __lakatos_unknown_uint();
    __lakatos_assume(left <= seconds);
    __lakatos_succeed_somehow();
    return left;
}

// usleep: POSIX.1-2001.
static int __lakatos_usleep(unsigned int microseconds)
{
    (void) microseconds;
    return __lakatos_uncertain_outcome();
}
