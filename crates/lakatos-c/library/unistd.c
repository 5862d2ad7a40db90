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

// Whether the program has been given a file descriptor.
static _Bool __lakatos_has_descriptor;

// A file descriptor, or -1 with errno. The first one may be any number; how others are related is not known.
static int __lakatos_any_descriptor(void)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern int __lakatos_nondet_int(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int file = __lakatos_nondet_int();
    if (__lakatos_nondet_bool()) {
        __lakatos_fail_somehow();
        return -1;
    }
    if (__lakatos_has_descriptor)
        file = __lakatos_unknown_int();
    __lakatos_has_descriptor = 1;
    __lakatos_assume(file >= 0);
    __lakatos_succeed_somehow();
    return file;
}

// dup: POSIX.
static int __lakatos_dup(int file)
{
    (void) file;
    return __lakatos_any_descriptor();
}

// dup2: POSIX. The second number, or -1 with errno.
static int __lakatos_dup2(int file, int copy)
{
    (void) file;
    return copy >= 0 && __lakatos_uncertain_outcome() == 0 ? copy : __lakatos_uncertain_failure();
}

// A failure, -1 with errno.
static int __lakatos_uncertain_failure(void)
{
    __lakatos_fail_somehow();
    return -1;
}

// dup3: glibc, POSIX.1-2024.
static int __lakatos_dup3(int file, int copy, int flags)
{
    (void) flags;
    return __lakatos_dup2(file, copy);
}

// pipe: POSIX. Two different file descriptors, or -1 with errno.
static int __lakatos_pipe(int *files)
{
    extern void __lakatos_assume(int);
    int first, second;
    if (__lakatos_any_outcome() != 0)
        return -1;
    first = __lakatos_any_descriptor();
    second = __lakatos_any_descriptor();
    __lakatos_assume(first >= 0 && second >= 0 && first != second);
    files[0] = first;
    files[1] = second;
    return 0;
}

// pipe2: glibc, POSIX.1-2024.
static int __lakatos_pipe2(int *files, int flags)
{
    (void) flags;
    return __lakatos_pipe(files);
}

// pread: POSIX, where off_t is long.
static long __lakatos_pread(int file, void *memory, unsigned long size, long offset)
{
    (void) offset;
    return __lakatos_read(file, memory, size);
}

// pwrite: POSIX, where off_t is long.
static long __lakatos_pwrite(int file, const void *memory, unsigned long size, long offset)
{
    (void) offset;
    return __lakatos_write(file, memory, size);
}

// fsync: POSIX.
static int __lakatos_fsync(int file)
{
    (void) file;
    return __lakatos_uncertain_outcome();
}

// fdatasync: POSIX.
static int __lakatos_fdatasync(int file)
{
    (void) file;
    return __lakatos_uncertain_outcome();
}

// sync: POSIX.
static void __lakatos_sync(void)
{
}

// truncate: POSIX, where off_t is long.
static int __lakatos_truncate(const char *path, long length)
{
    (void) length;
    (void) __builtin_strlen(path);
    return __lakatos_uncertain_outcome();
}

// ftruncate: POSIX, where off_t is long.
static int __lakatos_ftruncate(int file, long length)
{
    (void) file;
    (void) length;
    return __lakatos_uncertain_outcome();
}

// link: POSIX.
static int __lakatos_link(const char *from, const char *to)
{
    (void) __builtin_strlen(from);
    (void) __builtin_strlen(to);
    return __lakatos_any_outcome();
}

// symlink: POSIX.
static int __lakatos_symlink(const char *from, const char *to)
{
    (void) __builtin_strlen(from);
    (void) __builtin_strlen(to);
    return __lakatos_any_outcome();
}

// unlinkat: POSIX.
static int __lakatos_unlinkat(int directory, const char *path, int flags)
{
    (void) directory;
    (void) flags;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// faccessat: POSIX.
static int __lakatos_faccessat(int directory, const char *path, int mode, int flags)
{
    (void) directory;
    (void) mode;
    (void) flags;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// fchdir: POSIX.
static int __lakatos_fchdir(int file)
{
    (void) file;
    return __lakatos_uncertain_outcome();
}

// chown: POSIX.
static int __lakatos_chown(const char *path, unsigned int owner, unsigned int group)
{
    (void) owner;
    (void) group;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// fchown: POSIX.
static int __lakatos_fchown(int file, unsigned int owner, unsigned int group)
{
    (void) file;
    (void) owner;
    (void) group;
    return __lakatos_uncertain_outcome();
}

// chmod: POSIX.
static int __lakatos_chmod(const char *path, unsigned int mode)
{
    (void) mode;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// fchmod: POSIX.
static int __lakatos_fchmod(int file, unsigned int mode)
{
    (void) file;
    (void) mode;
    return __lakatos_uncertain_outcome();
}

// mkdir: POSIX.
static int __lakatos_mkdir(const char *path, unsigned int mode)
{
    (void) mode;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// mkfifo: POSIX.
static int __lakatos_mkfifo(const char *path, unsigned int mode)
{
    (void) mode;
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// umask: POSIX. The mask before: nine bits.
static unsigned int __lakatos_umask(unsigned int mask)
{
    extern unsigned int __lakatos_unknown_uint(void);
    (void) mask;
    return __lakatos_unknown_uint() & 0777;
}

// readlink: POSIX. At most so many bytes, without an end; -1 with errno.
static long __lakatos_readlink(const char *path, char *text, unsigned long size)
{
    extern char __lakatos_nondet_char(void);
    extern void __lakatos_assume(int);
    long count = __lakatos_any_count(size);
    long index = 0;
    (void) __builtin_strlen(path);
    if (size == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    __lakatos_assume(count != 0);
    while (index < count) {
        char character = __lakatos_nondet_char();
        __lakatos_assume(character != 0);
        text[index] = character;
        index++;
    }
    return count;
}

// readlinkat: POSIX.
static long __lakatos_readlinkat(int directory, const char *path, char *text, unsigned long size)
{
    (void) directory;
    return __lakatos_readlink(path, text, size);
}

// getcwd: POSIX; without an array glibc gives memory, of the size if that is not 0. Null with errno; then nothing is
// known of the array.
static char *__lakatos_getcwd(char *text, unsigned long size)
{
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    char *memory = text;
    if (size == 0) {
        if (text != 0) {
            __lakatos_errno_value = 22; // EINVAL
            return 0;
        }
        size = __lakatos_unknown_ulong();
        __lakatos_assume(size >= 2);
    }
    if (size == 1 || (text == 0 && __lakatos_uncertain_outcome() != 0)) {
        __lakatos_errno_value = 34; // ERANGE
        return 0;
    }
    if (text == 0) {
        memory = __builtin_malloc(size);
        if (memory == 0) {
            __lakatos_errno_value = 12; // ENOMEM
            return 0;
        }
        return __lakatos_any_text(memory, size);
    }
    __lakatos_any_text(memory, size);
    return __lakatos_uncertain_outcome() == 0 ? text : 0;
}

// gethostname: POSIX, which leaves open whether a name that is cut off ends; as with glibc that fails and the array
// is filled.
static int __lakatos_gethostname(char *text, unsigned long size)
{
    extern char __lakatos_unknown_char(void);
    unsigned long index = 0;
    if (__lakatos_uncertain_outcome() == 0 && size > 1) {
        __lakatos_any_text(text, size);
        return 0;
    }
    while (index < size) {
        text[index] = __lakatos_unknown_char();
        index++;
    }
    __lakatos_fail_somehow();
    return -1;
}

// getpagesize: glibc (BSD). x86 has pages of 4096 bytes.
static int __lakatos_getpagesize(void)
{
    return 4096;
}

// sysconf: POSIX. Any number; -1 with or without errno. A page has 4096 bytes.
static long __lakatos_sysconf(int name)
{
    extern long __lakatos_unknown_long(void);
    if (name == 30)
        return 4096; // _SC_PAGESIZE
    __lakatos_succeed_somehow();
    return __lakatos_unknown_long();
}

// getpgrp: POSIX.
static int __lakatos_getpgrp(void)
{
    return __lakatos_getpid();
}

// gettid: glibc.
static int __lakatos_gettid(void)
{
    return __lakatos_getpid();
}

// setsid: POSIX. A process, or -1 with errno.
static int __lakatos_setsid(void)
{
    return __lakatos_uncertain_outcome() == 0 ? __lakatos_getpid() : -1;
}

// setuid: POSIX.
static int __lakatos_setuid(unsigned int user)
{
    (void) user;
    return __lakatos_uncertain_outcome();
}

// setgid: POSIX.
static int __lakatos_setgid(unsigned int group)
{
    (void) group;
    return __lakatos_uncertain_outcome();
}

// seteuid: POSIX.
static int __lakatos_seteuid(unsigned int user)
{
    (void) user;
    return __lakatos_uncertain_outcome();
}

// setegid: POSIX.
static int __lakatos_setegid(unsigned int group)
{
    (void) group;
    return __lakatos_uncertain_outcome();
}

// nice: POSIX. The new value may be -1, too.
static int __lakatos_nice(int increment)
{
    extern int __lakatos_unknown_int(void);
    (void) increment;
    __lakatos_succeed_somehow();
    return __lakatos_unknown_int();
}

// sched_yield: POSIX. Linux always succeeds.
static int __lakatos_sched_yield(void)
{
    return 0;
}

// getrandom: Linux. Any bytes, at most so many; -1 with errno.
static long __lakatos_getrandom(void *memory, unsigned long size, unsigned int flags)
{
    (void) flags;
    return __lakatos_read(-1, memory, size);
}

// getentropy: glibc, POSIX.1-2024. At most 256 bytes.
static int __lakatos_getentropy(void *memory, unsigned long size)
{
    if (size > 256) {
        __lakatos_errno_value = 5; // EIO
        return -1;
    }
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    __lakatos_fill_memory(memory, size);
    return 0;
}

// Bytes of which nothing is known are written to the program's memory.
static void __lakatos_any_bytes(void *memory, unsigned long size)
{
    extern char __lakatos_unknown_char(void);
    char *bytes = memory;
    unsigned long index = 0;
    while (index < size) {
        bytes[index] = __lakatos_unknown_char();
        index++;
    }
}

// readv: POSIX. Any bytes, into one piece of memory after the other.
static long __lakatos_readv(int file, const void *pieces, int count)
{
    const unsigned long *piece = pieces;
    unsigned long room = 0;
    int index = 0;
    long read;
    unsigned long left;
    (void) file;
    if (count < 0 || count > 1024 || __lakatos_uncertain_outcome() != 0)
        return __lakatos_uncertain_failure();
    while (index < count) {
        room += piece[2 * index + 1];
        index++;
    }
    read = __lakatos_any_count(room);
    if (read <= 0)
        return read;
    left = (unsigned long) read;
    index = 0;
    while (left > 0) {
        unsigned long size = piece[2 * index + 1];
        if (size > left)
            size = left;
        __lakatos_fill_memory(((void *const *) pieces)[2 * index], size);
        left -= size;
        index++;
    }
    return read;
}

// writev: POSIX. All of the memory is read; any part of it may have been written.
static long __lakatos_writev(int file, const void *pieces, int count)
{
    const unsigned long *piece = pieces;
    unsigned long size = 0;
    int index = 0;
    (void) file;
    if (count < 0 || count > 1024)
        return __lakatos_uncertain_failure();
    while (index < count) {
        size += piece[2 * index + 1];
        __lakatos_read_memory(((void *const *) pieces)[2 * index], piece[2 * index + 1]);
        index++;
    }
    return __lakatos_any_count(size);
}

// struct stat of the system's own headers, without large files: any bytes; or -1 with errno.
static int __lakatos_any_status(void *status)
{
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    __lakatos_any_bytes(status, sizeof(long) == 8 ? 144 : 88);
    return 0;
}

// stat: POSIX.
static int __lakatos_stat(const char *path, void *status)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_status(status);
}

// lstat: POSIX.
static int __lakatos_lstat(const char *path, void *status)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_status(status);
}

// fstat: POSIX.
static int __lakatos_fstat(int file, void *status)
{
    (void) file;
    return __lakatos_any_status(status);
}

// fstatat: POSIX.
static int __lakatos_fstatat(int directory, const char *path, void *status, int flags)
{
    (void) directory;
    (void) flags;
    (void) __builtin_strlen(path);
    return __lakatos_any_status(status);
}

// uname: POSIX. Six texts of at most 64 characters.
static int __lakatos_uname(void *names)
{
    char *text = names;
    int index = 0;
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    __lakatos_any_bytes(names, 390);
    while (index < 6) {
        text[65 * index + 64] = 0;
        index++;
    }
    return 0;
}

// getrusage: POSIX. Two times and 14 numbers; or -1 with errno.
static int __lakatos_getrusage(int who, void *usage)
{
    (void) who;
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    __lakatos_any_bytes(usage, 18 * sizeof(long));
    return 0;
}

// getrlimit: POSIX. Two numbers; or -1 with errno.
static int __lakatos_getrlimit(int resource, unsigned long *limits)
{
    extern unsigned long __lakatos_unknown_ulong(void);
    (void) resource;
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    limits[0] = __lakatos_unknown_ulong();
    limits[1] = __lakatos_unknown_ulong();
    return 0;
}

// setrlimit: POSIX. That the system has fewer resources then is not followed.
static int __lakatos_setrlimit(int resource, const unsigned long *limits)
{
    unsigned long read = limits[0];
    read = limits[1];
    (void) read;
    (void) resource;
    return __lakatos_uncertain_outcome();
}

// pathconf: POSIX. A limit, or -1: there is none, or with errno.
static long __lakatos_pathconf(const char *path, int name)
{
    extern long __lakatos_unknown_long(void);
    (void) name;
    (void) __builtin_strlen(path);
    __lakatos_succeed_somehow();
    return __lakatos_unknown_long();
}

// fpathconf: POSIX.
static long __lakatos_fpathconf(int file, int name)
{
    extern long __lakatos_unknown_long(void);
    (void) file;
    (void) name;
    __lakatos_succeed_somehow();
    return __lakatos_unknown_long();
}

// The text of getlogin.
static char __lakatos_login_name[33];

// getlogin: POSIX. Null with errno.
static char *__lakatos_getlogin(void)
{
    if (__lakatos_uncertain_outcome() != 0)
        return 0;
    return __lakatos_any_text(__lakatos_login_name, 33);
}

// getpgid: POSIX. -1 with errno.
static int __lakatos_getpgid(int process)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int group = __lakatos_unknown_int();
    (void) process;
    __lakatos_assume(group >= -1);
    if (group < 0)
        __lakatos_fail_somehow();
    return group;
}

// setpgid: POSIX.
static int __lakatos_setpgid(int process, int group)
{
    (void) process;
    (void) group;
    return __lakatos_uncertain_outcome();
}

// waitpid: POSIX. A process, 0 or -1 with errno; the status is any.
static int __lakatos_waitpid(int process, int *status, int options)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int result = __lakatos_unknown_int();
    (void) process;
    (void) options;
    __lakatos_assume(result >= -1);
    if (status != 0 && result > 0)
        *status = __lakatos_unknown_int();
    if (result < 0)
        __lakatos_fail_somehow();
    return result;
}

// wait: POSIX.
static int __lakatos_wait(int *status)
{
    extern void __lakatos_assume(int);
    int result = __lakatos_waitpid(-1, status, 0);
    __lakatos_assume(result != 0);
    return result;
}

// stat64: glibc (LFS).
static int __lakatos_stat64(const char *path, void *status)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_large_status(status);
}

// lstat64: glibc (LFS).
static int __lakatos_lstat64(const char *path, void *status)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_large_status(status);
}

// fstat64: glibc (LFS).
static int __lakatos_fstat64(int file, void *status)
{
    (void) file;
    return __lakatos_any_large_status(status);
}

// fstatat64: glibc (LFS).
static int __lakatos_fstatat64(int directory, const char *path, void *status, int flags)
{
    (void) directory;
    (void) flags;
    (void) __builtin_strlen(path);
    return __lakatos_any_large_status(status);
}

// struct stat with large files: any bytes; or -1 with errno.
static int __lakatos_any_large_status(void *status)
{
    if (__lakatos_uncertain_outcome() != 0)
        return -1;
    __lakatos_any_bytes(status, sizeof(long) == 8 ? 144 : 96);
    return 0;
}
