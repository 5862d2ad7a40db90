// Models of <stdio.h> (C11 7.21, POSIX), functions without formats. What a file contains, and whether an
// operation succeeds, is the environment's. stdin, stdout and stderr point to streams of the program's own
// header, which are not looked into; that one of them is used after it was closed is not seen.

// Streams that fopen and its relatives open: the address of an element, which is 1 while it is open.
static char __lakatos_streams[4];

// How many were opened so far, if there are any.
static int __lakatos_opened_streams;

// A call with a stream that is null, or was closed, is undefined (C11 7.1.4, 7.21.3p4): here it reads what
// a null pointer points to.
static void __lakatos_use_stream(const void *stream)
{
    const char *null_or_closed_stream = 0;
    int number = 0;
    char read;
    if (stream != 0) {
        if (__lakatos_opened_streams == 0)
            return;
        while (number < 4 && stream != &__lakatos_streams[number])
            number++;
        if (number == 4 || __lakatos_streams[number])
            return;
    }
    read = *null_or_closed_stream;
    (void) read;
}

// A stream that is not open becomes one that is, any of them, since addresses tell nothing; or null, with
// errno. Of more than four at a time nothing is known.
static void *__lakatos_open_stream(void)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    extern void *__lakatos_gap_fopen(void);
    int number;
    if (__lakatos_nondet_bool()) {
        __lakatos_fail_somehow();
        return 0;
    }
    if (__lakatos_streams[0] && __lakatos_streams[1] && __lakatos_streams[2] && __lakatos_streams[3])
        return __lakatos_gap_fopen();
    number = __lakatos_nondet_int();
    __lakatos_assume(number >= 0 && number < 4 && !__lakatos_streams[number]);
    __lakatos_streams[number] = 1;
    __lakatos_opened_streams = 1;
    __lakatos_succeed_somehow();
    return &__lakatos_streams[number];
}

// The stream is not open from here on.
static void __lakatos_close_stream(void *stream)
{
    int number = 0;
    __lakatos_use_stream(stream);
    while (number < 4) {
        if (stream == &__lakatos_streams[number])
            __lakatos_streams[number] = 0;
        number++;
    }
}

// fopen: C11 7.21.5.3.
static void *__lakatos_fopen(const char *path, const char *mode)
{
    (void) __builtin_strlen(path);
    (void) __builtin_strlen(mode);
    return __lakatos_open_stream();
}

// fopen64: glibc (LFS).
static void *__lakatos_fopen64(const char *path, const char *mode)
{
    return __lakatos_fopen(path, mode);
}

// fdopen: POSIX.
static void *__lakatos_fdopen(int file, const char *mode)
{
    (void) file;
    (void) __builtin_strlen(mode);
    return __lakatos_open_stream();
}

// tmpfile: C11 7.21.4.3.
static void *__lakatos_tmpfile(void)
{
    return __lakatos_open_stream();
}

// tmpfile64: glibc (LFS).
static void *__lakatos_tmpfile64(void)
{
    return __lakatos_open_stream();
}

// popen: POSIX.
static void *__lakatos_popen(const char *command, const char *mode)
{
    return __lakatos_fopen(command, mode);
}

// fclose: C11 7.21.5.1. The stream is closed even if that fails.
static int __lakatos_fclose(void *stream)
{
    __lakatos_close_stream(stream);
    return __lakatos_any_outcome();
}

// pclose: POSIX. How the command ended, or -1 with errno.
static int __lakatos_pclose(void *stream)
{
    extern int __lakatos_unknown_int(void);
    int status = __lakatos_unknown_int();
    __lakatos_close_stream(stream);
    if (status == -1)
        __lakatos_fail_somehow();
    else
        __lakatos_succeed_somehow();
    return status;
}

// freopen: C11 7.21.5.4. The same stream, or null, and then it is closed. The path may be null.
static void *__lakatos_freopen(const char *path, const char *mode, void *stream)
{
    extern _Bool __lakatos_nondet_bool(void);
    if (path != 0)
        (void) __builtin_strlen(path);
    (void) __builtin_strlen(mode);
    __lakatos_use_stream(stream);
    if (__lakatos_nondet_bool()) {
        __lakatos_close_stream(stream);
        __lakatos_fail_somehow();
        return 0;
    }
    __lakatos_succeed_somehow();
    return stream;
}

// Whether an operation on a stream fails: EOF with errno, or 0 otherwise.
static int __lakatos_stream_outcome(const void *stream)
{
    __lakatos_use_stream(stream);
    return __lakatos_any_outcome();
}

// fflush: C11 7.21.5.2. Null stands for all streams.
static int __lakatos_fflush(void *stream)
{
    if (stream != 0)
        __lakatos_use_stream(stream);
    return __lakatos_any_outcome();
}

// fputc: C11 7.21.7.3. The character, or EOF with errno.
static int __lakatos_fputc(int character, void *stream)
{
    if (__lakatos_stream_outcome(stream) != 0)
        return -1;
    return (unsigned char) character;
}

// putc: C11 7.21.7.7.
static int __lakatos_putc(int character, void *stream)
{
    return __lakatos_fputc(character, stream);
}

// fputc_unlocked: glibc, POSIX: without locking.
static int __lakatos_fputc_unlocked(int character, void *stream)
{
    return __lakatos_fputc(character, stream);
}

// putc_unlocked: glibc, POSIX: without locking.
static int __lakatos_putc_unlocked(int character, void *stream)
{
    return __lakatos_fputc(character, stream);
}

// _IO_putc: glibc's old name of putc.
static int __lakatos__IO_putc(int character, void *stream)
{
    return __lakatos_fputc(character, stream);
}

// fputs: C11 7.21.7.4. Any number that is not negative, or EOF with errno.
static int __lakatos_fputs(const char *text, void *stream)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int result = __lakatos_unknown_int();
    (void) __builtin_strlen(text);
    if (__lakatos_stream_outcome(stream) != 0)
        return -1;
    __lakatos_assume(result >= 0);
    return result;
}

// fputs_unlocked: glibc: without locking.
static int __lakatos_fputs_unlocked(const char *text, void *stream)
{
    return __lakatos_fputs(text, stream);
}

// fwrite: C11 7.21.8.2. All of the array is read; fewer elements mean an error with errno.
static unsigned long __lakatos_fwrite(const void *array, unsigned long size, unsigned long count,
    void *stream)
{
    extern unsigned long __lakatos_nondet_ulong(void);
    extern void __lakatos_assume(int);
    unsigned long written = __lakatos_nondet_ulong();
    __lakatos_use_stream(stream);
    __lakatos_read_memory(array, size * count);
    if (size == 0)
        return 0;
    __lakatos_assume(written <= count);
    if (written < count)
        __lakatos_fail_somehow();
    else
        __lakatos_succeed_somehow();
    return written;
}

// fwrite_unlocked: glibc: without locking.
static unsigned long __lakatos_fwrite_unlocked(const void *array, unsigned long size,
    unsigned long count, void *stream)
{
    return __lakatos_fwrite(array, size, count, stream);
}

// fread: C11 7.21.8.1. Any bytes. Fewer elements mean the end of the file or an error; then a part of
// one more element may have been read.
static unsigned long __lakatos_fread(void *array, unsigned long size, unsigned long count,
    void *stream)
{
    extern unsigned long __lakatos_nondet_ulong(void);
    extern void __lakatos_assume(int);
    unsigned long complete = __lakatos_nondet_ulong();
    unsigned long part = __lakatos_nondet_ulong();
    __lakatos_use_stream(stream);
    __lakatos_succeed_somehow();
    if (size == 0 || count == 0)
        return 0;
    __lakatos_assume(complete <= count);
    __lakatos_assume(complete < count ? part < size : part == 0);
    __lakatos_fill_memory(array, complete * size + part);
    return complete;
}

// fread_unlocked: glibc: without locking.
static unsigned long __lakatos_fread_unlocked(void *array, unsigned long size, unsigned long count,
    void *stream)
{
    return __lakatos_fread(array, size, count, stream);
}

// fgets: C11 7.21.7.2. Null at the end of the file, where the array is as it was, and after an error,
// where C11 leaves its contents indeterminate. glibc also gives null where there is no room at all.
static char *__lakatos_fgets(char *text, int size, void *stream)
{
    extern int __lakatos_nondet_int(void);
    extern char __lakatos_nondet_char(void);
    int length = 0;
    __lakatos_use_stream(stream);
    __lakatos_succeed_somehow();
    if (size <= 0)
        return 0;
    while (length < size - 1 && __lakatos_nondet_int()) {
        char character = __lakatos_nondet_char();
        text[length] = character;
        length++;
        if (character == '\n') {
            text[length] = 0;
            return text;
        }
    }
    // The array is full, or the file ends here, or an error happened.
    if (length < size - 1 && (length == 0 || __lakatos_nondet_int()))
        return 0;
    text[length] = 0;
    return text;
}

// fgets_unlocked: glibc: without locking.
static char *__lakatos_fgets_unlocked(char *text, int size, void *stream)
{
    return __lakatos_fgets(text, size, stream);
}

// ungetc: C11 7.21.7.10. EOF cannot be pushed back, and other characters not always.
static int __lakatos_ungetc(int character, void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    if (character == -1 || __lakatos_unknown_int())
        return -1;
    return (unsigned char) character;
}

// feof: C11 7.21.10.2. Nothing is known of the stream, so any answer.
static int __lakatos_feof(void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    return __lakatos_unknown_int();
}

// feof_unlocked: glibc: without locking.
static int __lakatos_feof_unlocked(void *stream)
{
    return __lakatos_feof(stream);
}

// ferror: C11 7.21.10.3. Nothing is known of the stream, so any answer.
static int __lakatos_ferror(void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    return __lakatos_unknown_int();
}

// ferror_unlocked: glibc: without locking.
static int __lakatos_ferror_unlocked(void *stream)
{
    return __lakatos_ferror(stream);
}

// clearerr: C11 7.21.10.1.
static void __lakatos_clearerr(void *stream)
{
    __lakatos_use_stream(stream);
}

// fileno: POSIX. A number, or -1 with errno.
static int __lakatos_fileno(void *stream)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int file = __lakatos_unknown_int();
    __lakatos_use_stream(stream);
    __lakatos_assume(file >= -1);
    if (file < 0)
        __lakatos_fail_somehow();
    return file;
}

// fseek: C11 7.21.9.2.
static int __lakatos_fseek(void *stream, long offset, int origin)
{
    (void) offset;
    (void) origin;
    return __lakatos_stream_outcome(stream);
}

// fseeko: POSIX, where off_t is long.
static int __lakatos_fseeko(void *stream, long offset, int origin)
{
    return __lakatos_fseek(stream, offset, origin);
}

// ftell: C11 7.21.9.4. A position, or -1 with errno.
static long __lakatos_ftell(void *stream)
{
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    long position = __lakatos_unknown_long();
    __lakatos_use_stream(stream);
    __lakatos_assume(position >= -1);
    if (position < 0)
        __lakatos_fail_somehow();
    return position;
}

// ftello: POSIX, where off_t is long.
static long __lakatos_ftello(void *stream)
{
    return __lakatos_ftell(stream);
}

// rewind: C11 7.21.9.5. It may fail, which only errno says.
static void __lakatos_rewind(void *stream)
{
    (void) __lakatos_stream_outcome(stream);
}

// perror: C11 7.21.10.4. It only writes to stderr.
static void __lakatos_perror(const char *text)
{
    if (text != 0)
        (void) __builtin_strlen(text);
    __lakatos_succeed_somehow();
}

// remove: C11 7.21.4.1. C11 says only "nonzero" of a failure; it is -1 (POSIX).
static int __lakatos_remove(const char *path)
{
    (void) __builtin_strlen(path);
    return __lakatos_any_outcome();
}

// rename: C11 7.21.4.2. C11 says only "nonzero" of a failure; it is -1 (POSIX).
static int __lakatos_rename(const char *from, const char *to)
{
    (void) __builtin_strlen(from);
    (void) __builtin_strlen(to);
    return __lakatos_any_outcome();
}

// putchar_unlocked: POSIX: without locking.
static int __lakatos_putchar_unlocked(int character)
{
    return __builtin_putchar(character);
}

// getchar_unlocked: POSIX. Any unsigned char, or EOF.
static int __lakatos_getchar_unlocked(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int character = __lakatos_nondet_int();
    __lakatos_assume(character >= -1 && character <= 255);
    __lakatos_succeed_somehow();
    return character;
}

// fgetc: C11 7.21.7.1. Any unsigned char, or EOF.
static int __lakatos_fgetc(void *stream)
{
    __lakatos_use_stream(stream);
    return __lakatos_getchar_unlocked();
}

// getc: C11 7.21.7.5.
static int __lakatos_getc(void *stream)
{
    return __lakatos_fgetc(stream);
}

// getc_unlocked: POSIX: without locking.
static int __lakatos_getc_unlocked(void *stream)
{
    return __lakatos_fgetc(stream);
}

// fgetc_unlocked: glibc: without locking.
static int __lakatos_fgetc_unlocked(void *stream)
{
    return __lakatos_fgetc(stream);
}

// _IO_getc: glibc's old name of getc.
static int __lakatos__IO_getc(void *stream)
{
    return __lakatos_fgetc(stream);
}

// Memory for a line that has grown: with glibc twice as much, or more for what was read at a time. Null, with
// errno, if there is none.
static char *__lakatos_grow_line(char **line, unsigned long *size, unsigned long least)
{
    extern _Bool __lakatos_unknown_bool(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    unsigned long new = *line == 0 ? 120 : 2 * *size;
    char *text;
    if (new < least || (*line != 0 && __lakatos_unknown_bool())) {
        new = __lakatos_unknown_ulong();
        __lakatos_assume(new >= least && new / 2 >= *size);
    }
    text = __builtin_realloc(*line, new);
    if (text != 0) {
        *line = text;
        *size = new;
    }
    return text;
}

// getdelim: POSIX. The characters up to the delimiter or the end of the file, and a null character behind
// them, in memory that grows; how many they are, or -1 if there is none, or with errno.
static long __lakatos_getdelim(char **line, unsigned long *size, int delimiter, void *stream)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern char __lakatos_nondet_char(void);
    unsigned long length = 0;
    char character;
    __lakatos_use_stream(stream);
    if (line == 0 || size == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    if (*line == 0 || *size == 0) {
        *size = 0;
        if (__lakatos_grow_line(line, size, 2) == 0)
            return -1;
    }
    while (__lakatos_nondet_bool()) {
        if (length + 1 >= *size && __lakatos_grow_line(line, size, length + 2) == 0)
            return -1;
        character = __lakatos_nondet_char();
        (*line)[length] = character;
        length++;
        if (character == (char) delimiter) {
            (*line)[length] = 0;
            __lakatos_succeed_somehow();
            return (long) length;
        }
    }
    // The file ends here, or an error happened.
    if (length == 0 || __lakatos_nondet_bool()) {
        __lakatos_succeed_somehow();
        return -1;
    }
    (*line)[length] = 0;
    __lakatos_succeed_somehow();
    return (long) length;
}

// __getdelim: glibc's other name.
static long __lakatos___getdelim(char **line, unsigned long *size, int delimiter, void *stream)
{
    return __lakatos_getdelim(line, size, delimiter, stream);
}

// getline: POSIX.
static long __lakatos_getline(char **line, unsigned long *size, void *stream)
{
    return __lakatos_getdelim(line, size, '\n', stream);
}

// gets: C99 7.19.7.7, no longer in C11. Any line, however long.
static char *__lakatos_gets(char *text)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern char __lakatos_nondet_char(void);
    extern void __lakatos_assume(int);
    char *at = text;
    if (__lakatos_nondet_bool())
        return 0;
    while (__lakatos_nondet_bool()) {
        char character = __lakatos_nondet_char();
        __lakatos_assume(character != '\n');
        *at = character;
        at++;
    }
    *at = 0;
    return text;
}

// setbuf: C11 7.21.5.5. What is written to the stream may go through the array from here on, as long as the stream is
// open: nothing is known of that but for null.
static void __lakatos_setbuf(void *stream, char *array)
{
    extern void __lakatos_gap_setbuf(void *, char *);
    __lakatos_use_stream(stream);
    if (array != 0)
        __lakatos_gap_setbuf(stream, array);
}

// setbuffer: BSD.
static void __lakatos_setbuffer(void *stream, char *array, unsigned long size)
{
    (void) size;
    __lakatos_setbuf(stream, array);
}

// setlinebuf: BSD.
static void __lakatos_setlinebuf(void *stream)
{
    __lakatos_use_stream(stream);
}

// setvbuf: C11 7.21.5.6. C11 says only "nonzero" of a failure; it is -1.
static int __lakatos_setvbuf(void *stream, char *array, int mode, unsigned long size)
{
    extern int __lakatos_gap_setvbuf(void *, char *);
    extern _Bool __lakatos_unknown_bool(void);
    (void) size;
    __lakatos_use_stream(stream);
    if (mode < 0 || mode > 2 || __lakatos_unknown_bool())
        return -1;
    if (array != 0 && mode != 2)
        return __lakatos_gap_setvbuf(stream, array);
    return 0;
}

// fgetpos: C11 7.21.9.1. The position is any bytes, 16 or 12.
static int __lakatos_fgetpos(void *stream, void *position)
{
    if (__lakatos_stream_outcome(stream) != 0)
        return -1;
    __lakatos_any_bytes(position, 8 + sizeof(long));
    return 0;
}

// fsetpos: C11 7.21.9.3.
static int __lakatos_fsetpos(void *stream, const void *position)
{
    __lakatos_read_memory(position, 8 + sizeof(long));
    return __lakatos_stream_outcome(stream);
}

// The text of tmpnam.
static char __lakatos_temporary_name[20];

// tmpnam: C11 7.21.4.4. A text of at most 19 characters, or null.
static char *__lakatos_tmpnam(char *text)
{
    extern _Bool __lakatos_unknown_bool(void);
    if (__lakatos_unknown_bool())
        return 0;
    return __lakatos_any_text(text != 0 ? text : __lakatos_temporary_name, 20);
}

// flockfile: POSIX. There is one thread.
static void __lakatos_flockfile(void *stream)
{
    __lakatos_use_stream(stream);
}

// funlockfile: POSIX. There is one thread.
static void __lakatos_funlockfile(void *stream)
{
    __lakatos_use_stream(stream);
}

// ftrylockfile: POSIX. There is one thread.
static int __lakatos_ftrylockfile(void *stream)
{
    __lakatos_use_stream(stream);
    return 0;
}

// getw: glibc (System V). Any int; -1 at the end, too.
static int __lakatos_getw(void *stream)
{
    extern int __lakatos_nondet_int(void);
    __lakatos_use_stream(stream);
    __lakatos_succeed_somehow();
    return __lakatos_nondet_int();
}

// putw: glibc (System V). 0, or -1 with errno.
static int __lakatos_putw(int number, void *stream)
{
    (void) number;
    return __lakatos_stream_outcome(stream);
}

// __fpending: Solaris, glibc. How many bytes wait is not known.
static unsigned long __lakatos___fpending(void *stream)
{
    extern unsigned long __lakatos_unknown_ulong(void);
    __lakatos_use_stream(stream);
    return __lakatos_unknown_ulong();
}

// __freading: Solaris, glibc.
static int __lakatos___freading(void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    return __lakatos_unknown_int();
}

// __fwriting: Solaris, glibc.
static int __lakatos___fwriting(void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    return __lakatos_unknown_int();
}

// renameat: POSIX.
static int __lakatos_renameat(int directory, const char *from, int other, const char *to)
{
    (void) directory;
    (void) other;
    return __lakatos_rename(from, to);
}

// The text of ctermid.
static char __lakatos_terminal_name[9];

// ctermid: POSIX. With glibc "/dev/tty".
static char *__lakatos_ctermid(char *text)
{
    char *target = text != 0 ? text : __lakatos_terminal_name;
    (void) __builtin_strcpy(target, "/dev/tty");
    return target;
}
