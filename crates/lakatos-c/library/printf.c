// Models of the functions with formats of <stdio.h> (C11 7.21.6, POSIX, glibc). The pieces of a format
// go to the functions of format.c. How a floating-point number or a pointer is written is not known, only
// how long that can be. Writing to a stream may fail.

// The flag that a character of a format is; 0 if it is none.
static int __lakatos_flag_of(char letter)
{
    switch (letter) {
    case '-': return 1;
    case '0': return 2;
    case '#': return 4;
    case '+': return 8;
    case ' ': return 16;
    default: return 0;
    }
}

// Whether a character of a format says how long an argument is.
static int __lakatos_is_length(char letter)
{
    switch (letter) {
    case 'h': case 'l': case 'j': case 'z': case 't': case 'L': case 'q': return 1;
    default: return 0;
    }
}

// Characters of which only the number is bounded.
static unsigned long __lakatos_put_unknown(char *target, unsigned long room, unsigned long count,
    int least, int most, int width)
{
    extern int __lakatos_unknown_int(void);
    extern char __lakatos_unknown_char(void);
    extern void __lakatos_assume(int);
    int number = __lakatos_unknown_int();
    if (width < 0)
        width = -width;
    __lakatos_assume(number >= (least < width ? width : least));
    __lakatos_assume(number <= (most < width ? width : most));
    while (number > 0) {
        char character = __lakatos_unknown_char();
        __lakatos_assume(character != 0);
        count = __lakatos_put_byte(target, room, count, character);
        number--;
    }
    return count;
}

// vsnprintf: C11 7.21.6.12. Directives of POSIX and glibc, and wide characters, have no model.
static int __lakatos_vsnprintf(char *target, unsigned long room, const char *format,
    __builtin_va_list arguments)
{
    extern int __lakatos_gap_vsnprintf(void);
    unsigned long count = 0;
    while (*format != 0) {
        int flags = 0, width = 0, precision = -1, length = 0;
        if (*format != '%' || format[1] == '%') {
            if (*format == '%')
                format++;
            count = __lakatos_put_byte(target, room, count, *format);
            format++;
            continue;
        }
        format++;
        while (__lakatos_flag_of(*format) != 0) {
            flags |= __lakatos_flag_of(*format);
            format++;
        }
        if (*format == '*') {
            width = __builtin_va_arg(arguments, int);
            format++;
        }
        while (*format >= '0' && *format <= '9') {
            width = width * 10 + (*format - '0');
            format++;
        }
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(arguments, int);
                format++;
            }
            while (*format >= '0' && *format <= '9') {
                precision = precision * 10 + (*format - '0');
                format++;
            }
        }
        // Of "hh" and "ll", twice the letter.
        while (__lakatos_is_length(*format)) {
            length += *format;
            format++;
        }
        switch (*format) {
        case 'd': case 'i': {
            long long number;
            if (length == 'l' || length == 'z' || length == 't')
                number = __builtin_va_arg(arguments, long);
            else if (length == 2 * 'l' || length == 'j' || length == 'q')
                number = __builtin_va_arg(arguments, long long);
            else
                number = __builtin_va_arg(arguments, int);
            if (length == 'h')
                number = (short) number;
            else if (length == 2 * 'h')
                number = (signed char) number;
            count = __lakatos_put_signed(target, room, count, number, flags, width, precision);
            break;
        }
        case 'u': case 'o': case 'x': case 'X': {
            unsigned long long number;
            unsigned int base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
            if (length == 'l' || length == 'z' || length == 't')
                number = __builtin_va_arg(arguments, unsigned long);
            else if (length == 2 * 'l' || length == 'j' || length == 'q')
                number = __builtin_va_arg(arguments, unsigned long long);
            else
                number = __builtin_va_arg(arguments, unsigned int);
            if (length == 'h')
                number = (unsigned short) number;
            else if (length == 2 * 'h')
                number = (unsigned char) number;
            count = __lakatos_put_unsigned(target, room, count, number, base, *format == 'X', flags,
                width, precision);
            break;
        }
        case 'c': {
            int character = __builtin_va_arg(arguments, int);
            if (length != 0)
                return __lakatos_gap_vsnprintf();
            count = __lakatos_put_character(target, room, count, character, flags, width);
            break;
        }
        case 's': {
            const char *text;
            if (length != 0)
                return __lakatos_gap_vsnprintf();
            text = __builtin_va_arg(arguments, const char *);
            count = __lakatos_put_string(target, room, count, text, flags, width, precision);
            break;
        }
        case 'p':
            (void) __builtin_va_arg(arguments, void *);
            count = __lakatos_put_unknown(target, room, count, 3, 18, width);
            break;
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
            // As many digits before the point as the largest number has.
            if (length == 'L') {
                (void) __builtin_va_arg(arguments, long double);
                count = __lakatos_put_unknown(target, room, count, 1,
                    4960 + (precision < 0 ? 30 : precision), width);
            } else {
                (void) __builtin_va_arg(arguments, double);
                count = __lakatos_put_unknown(target, room, count, 1,
                    330 + (precision < 0 ? 30 : precision), width);
            }
            break;
        case 'n':
            if (length == 'l' || length == 'z' || length == 't')
                *__builtin_va_arg(arguments, long *) = (long) count;
            else if (length == 2 * 'l' || length == 'j' || length == 'q')
                *__builtin_va_arg(arguments, long long *) = (long long) count;
            else if (length == 'h')
                *__builtin_va_arg(arguments, short *) = (short) count;
            else if (length == 2 * 'h')
                *__builtin_va_arg(arguments, signed char *) = (signed char) count;
            else
                *__builtin_va_arg(arguments, int *) = (int) count;
            break;
        default:
            return __lakatos_gap_vsnprintf();
        }
        format++;
    }
    return __lakatos_put_end(target, room, count);
}

// vsprintf: C11 7.21.6.13.
static int __lakatos_vsprintf(char *target, const char *format, __builtin_va_list arguments)
{
    return __lakatos_vsnprintf(target, -1UL, format, arguments);
}

// snprintf: C11 7.21.6.5.
static int __lakatos_snprintf(char *target, unsigned long room, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vsnprintf(target, room, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// sprintf: C11 7.21.6.6.
static int __lakatos_sprintf(char *target, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vsnprintf(target, -1UL, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// Output by a format, wherever it goes; it may fail.
static int __lakatos_put_formatted(const char *format, __builtin_va_list arguments)
{
    extern _Bool __lakatos_nondet_bool(void);
    int length = __lakatos_vsnprintf(0, 0, format, arguments);
    return __lakatos_nondet_bool() ? length : -1;
}

// vfprintf: C11 7.21.6.8.
static int __lakatos_vfprintf(void *stream, const char *format, __builtin_va_list arguments)
{
    __lakatos_use_stream(stream);
    return __lakatos_put_formatted(format, arguments);
}

// vprintf: C11 7.21.6.10.
static int __lakatos_vprintf(const char *format, __builtin_va_list arguments)
{
    return __lakatos_put_formatted(format, arguments);
}

// vdprintf: POSIX.
static int __lakatos_vdprintf(int descriptor, const char *format, __builtin_va_list arguments)
{
    (void) descriptor;
    return __lakatos_put_formatted(format, arguments);
}

// vsyslog: BSD.
static void __lakatos_vsyslog(int priority, const char *format, __builtin_va_list arguments)
{
    (void) priority;
    (void) __lakatos_put_formatted(format, arguments);
}

// fprintf: C11 7.21.6.1.
static int __lakatos_fprintf(void *stream, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vfprintf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// dprintf: POSIX.
static int __lakatos_dprintf(int descriptor, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vdprintf(descriptor, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// syslog: POSIX.
static void __lakatos_syslog(int priority, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __lakatos_vsyslog(priority, format, arguments);
    __builtin_va_end(arguments);
}

// vasprintf: glibc. What *target is after a failure is not defined.
static int __lakatos_vasprintf(char **target, const char *format, __builtin_va_list arguments)
{
    extern char *__lakatos_unknown_pointer(void);
    __builtin_va_list again;
    int length;
    char *text;
    __builtin_va_copy(again, arguments);
    length = __lakatos_vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    text = __builtin_malloc((unsigned long) length + 1);
    if (text == 0) {
        *target = __lakatos_unknown_pointer();
        return -1;
    }
    (void) __lakatos_vsnprintf(text, (unsigned long) length + 1, format, arguments);
    *target = text;
    return length;
}

// asprintf: glibc.
static int __lakatos_asprintf(char **target, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vasprintf(target, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __vsnprintf_chk: glibc, vsnprintf with the size of the target; too small a target ends the program.
static int __lakatos___vsnprintf_chk(char *target, unsigned long room, int flag, unsigned long size,
    const char *format, __builtin_va_list arguments)
{
    (void) flag;
    if (size < room)
        __builtin_abort();
    return __lakatos_vsnprintf(target, room, format, arguments);
}

// __vsprintf_chk: glibc.
static int __lakatos___vsprintf_chk(char *target, int flag, unsigned long size, const char *format,
    __builtin_va_list arguments)
{
    int length;
    (void) flag;
    length = __lakatos_vsnprintf(target, size, format, arguments);
    if ((unsigned long) length >= size)
        __builtin_abort();
    return length;
}

// __vfprintf_chk: glibc.
static int __lakatos___vfprintf_chk(void *stream, int flag, const char *format,
    __builtin_va_list arguments)
{
    (void) flag;
    return __lakatos_vfprintf(stream, format, arguments);
}

// __vprintf_chk: glibc.
static int __lakatos___vprintf_chk(int flag, const char *format, __builtin_va_list arguments)
{
    (void) flag;
    return __lakatos_put_formatted(format, arguments);
}

// __snprintf_chk: glibc.
static int __lakatos___snprintf_chk(char *target, unsigned long room, int flag, unsigned long size,
    const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos___vsnprintf_chk(target, room, flag, size, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __sprintf_chk: glibc.
static int __lakatos___sprintf_chk(char *target, int flag, unsigned long size, const char *format,
    ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos___vsprintf_chk(target, flag, size, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __fprintf_chk: glibc.
static int __lakatos___fprintf_chk(void *stream, int flag, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos___vfprintf_chk(stream, flag, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __printf_chk: glibc.
static int __lakatos___printf_chk(int flag, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos___vfprintf_chk(0, flag, format, arguments);
    __builtin_va_end(arguments);
    return result;
}
