// Models of <stdio.h> (C11 7.21, POSIX), functions without formats. What a file contains, and whether an
// operation succeeds, is the environment's. A stream is a pointer that is not looked into: stdin, stdout
// and stderr belong to the program's header. fopen and fclose have no models: whether a stream is used
// after it was closed would not be seen.

// Whether an operation on a stream fails: EOF with errno, or 0 otherwise.
static int __lakatos_stream_outcome(void *stream)
{
    (void) stream;
    return __lakatos_any_outcome();
}

// fflush: C11 7.21.5.2. Null stands for all streams.
static int __lakatos_fflush(void *stream)
{
    (void) stream;
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
    if (character == -1 || __lakatos_unknown_int())
        return -1;
    return (unsigned char) character;
}

// feof: C11 7.21.10.2. Nothing is known of the stream, so any answer.
static int __lakatos_feof(void *stream)
{
    extern int __lakatos_unknown_int(void);
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
}

// fileno: POSIX. A number, or -1 with errno.
static int __lakatos_fileno(void *stream)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int file = __lakatos_unknown_int();
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

// getc_unlocked: POSIX: without locking.
static int __lakatos_getc_unlocked(void *stream)
{
    return __lakatos_getchar_unlocked();
}

// fgetc_unlocked: glibc: without locking.
static int __lakatos_fgetc_unlocked(void *stream)
{
    return __lakatos_getchar_unlocked();
}

// _IO_getc: glibc's old name of getc.
static int __lakatos__IO_getc(void *stream)
{
    return __lakatos_getchar_unlocked();
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
