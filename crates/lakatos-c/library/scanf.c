// Models of the functions of <stdio.h> that read by a format (C11 7.21.6.2, POSIX). What is on a stream
// is the environment's. Of a string the characters are known; what C leaves undefined, and numbers with a
// point, have no model.

// The directive that a format goes on with, behind its `%`: 1 if it stores nothing, then width and
// length modifier ("hh" and "ll" are twice the letter). The format moves to the conversion.
static int __lakatos_scan_directive(const char **format, int *width, int *length)
{
    int is_dropped = 0;
    *width = 0;
    *length = 0;
    if (**format == '*') {
        is_dropped = 1;
        (*format)++;
    }
    while (**format >= '0' && **format <= '9') {
        *width = *width * 10 + (**format - '0');
        (*format)++;
    }
    while (__lakatos_is_length(**format)) {
        *length += **format;
        (*format)++;
    }
    return is_dropped;
}

// Behind `%[`: the end of the set, which is its `]`.
static const char *__lakatos_end_of_set(const char *set)
{
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set != ']') {
        if (*set == 0)
            __builtin_unreachable();
        set++;
    }
    return set;
}

// Whether a character is in a set; a `-` between two characters is a range, as with glibc.
static int __lakatos_in_set(char character, const char *set, const char *end)
{
    int is_found = 0, is_negated = *set == '^';
    const char *at = is_negated ? set + 1 : set;
    while (at < end) {
        if (at + 2 < end && at[1] == '-') {
            if ((unsigned char) at[0] <= (unsigned char) character
                && (unsigned char) character <= (unsigned char) at[2])
                is_found = 1;
            at += 3;
        } else {
            if (*at == character)
                is_found = 1;
            at++;
        }
    }
    return is_found != is_negated;
}

// What a conversion that fails makes of the call: nothing more is read.
static int __lakatos_scan_failure(int stored)
{
    extern _Bool __lakatos_nondet_bool(void);
    if (stored > 0)
        return stored;
    return __lakatos_nondet_bool() ? 0 : -1;
}

// Whether a number can be written in so many characters; a sign takes one of them.
static int __lakatos_fits_width(long long number, char conversion, int width)
{
    int base = conversion == 'x' || conversion == 'X' ? 16 : conversion == 'o' ? 8 : 10;
    long long limit = 1;
    if (width == 0 || width > 15)
        return 1;
    while (width > 0) {
        limit *= base;
        width--;
    }
    return number < limit && number > -(limit / base);
}

// Input by a format from a stream, which may hold anything.
static int __lakatos_get_formatted(const char *format, __builtin_va_list arguments)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern char __lakatos_nondet_char(void);
    extern char __lakatos_unknown_char(void);
    extern int __lakatos_nondet_int(void);
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_nondet_long(void);
    extern long long __lakatos_nondet_longlong(void);
    extern float __lakatos_unknown_float(void);
    extern double __lakatos_unknown_double(void);
    extern void __lakatos_assume(int);
    int stored = 0;
    while (*format != 0) {
        int width, length, is_dropped;
        const char *end;
        if (*format != '%') {
            if (!__lakatos_is_white_space(*format) && __lakatos_nondet_bool())
                return __lakatos_scan_failure(stored);
            format++;
            continue;
        }
        format++;
        is_dropped = __lakatos_scan_directive(&format, &width, &length);
        if (*format != 'n' && __lakatos_nondet_bool())
            return __lakatos_scan_failure(stored);
        switch (*format) {
        case '%':
            is_dropped = 1;
            break;
        case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
            if (is_dropped)
                break;
            if (length == 'l' || length == 'z' || length == 't') {
                long number = __lakatos_nondet_long();
                __lakatos_assume(__lakatos_fits_width(number, *format, width));
                *__builtin_va_arg(arguments, long *) = number;
            } else if (length == 2 * 'l' || length == 'j' || length == 'q') {
                long long number = __lakatos_nondet_longlong();
                __lakatos_assume(__lakatos_fits_width(number, *format, width));
                *__builtin_va_arg(arguments, long long *) = number;
            } else {
                int number = __lakatos_nondet_int();
                __lakatos_assume(__lakatos_fits_width(number, *format, width));
                if (length == 'h')
                    *__builtin_va_arg(arguments, short *) = (short) number;
                else if (length == 2 * 'h')
                    *__builtin_va_arg(arguments, signed char *) = (signed char) number;
                else
                    *__builtin_va_arg(arguments, int *) = number;
            }
            break;
        case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G':
            if (is_dropped)
                break;
            if (length == 'L')
                *__builtin_va_arg(arguments, long double *) = __lakatos_unknown_double();
            else if (length == 'l')
                *__builtin_va_arg(arguments, double *) = __lakatos_unknown_double();
            else
                *__builtin_va_arg(arguments, float *) = __lakatos_unknown_float();
            break;
        case 'c':
            // Where the input ends within several characters, some of them have been stored.
            if (length != 0 || width > 1) {
                extern int __lakatos_gap_fscanf(void);
                return __lakatos_gap_fscanf();
            }
            if (!is_dropped)
                *__builtin_va_arg(arguments, char *) = __lakatos_nondet_char();
            break;
        case 's': case '[':
            if (length != 0) {
                extern int __lakatos_gap_fscanf(void);
                return __lakatos_gap_fscanf();
            }
            end = *format == '[' ? __lakatos_end_of_set(format + 1) : format;
            if (!is_dropped) {
                char *target = __builtin_va_arg(arguments, char *);
                int number = 0;
                do {
                    char character = __lakatos_nondet_char();
                    if (*format == '[')
                        __lakatos_assume(__lakatos_in_set(character, format + 1, end));
                    else
                        __lakatos_assume(!__lakatos_is_white_space(character));
                    *target = character;
                    target++;
                    number++;
                } while ((width == 0 || number < width) && __lakatos_nondet_bool());
                *target = 0;
            }
            format = end;
            break;
        case 'n': {
            int number = __lakatos_unknown_int();
            __lakatos_assume(number >= 0);
            is_dropped = 1;
            *__builtin_va_arg(arguments, int *) = number;
            break;
        }
        default: {
            extern int __lakatos_gap_fscanf(void);
            return __lakatos_gap_fscanf();
        }
        }
        if (!is_dropped)
            stored++;
        format++;
    }
    return stored;
}

// vfscanf: C11 7.21.6.9.
static int __lakatos_vfscanf(void *stream, const char *format, __builtin_va_list arguments)
{
    __lakatos_use_stream(stream);
    return __lakatos_get_formatted(format, arguments);
}

// Digits are at most as many as the width says: the number, and where it ends.
static unsigned long long __lakatos_scan_number(const char *text, char **end, int base, int width)
{
    char digits[40];
    int number = 0;
    unsigned long long value;
    if (width == 0 || width > 39)
        return __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
    while (number < width && text[number] != 0) {
        digits[number] = text[number];
        number++;
    }
    digits[number] = 0;
    value = __lakatos_read_integer(digits, end, base, 0, 1, (unsigned long long) -1 >> 1);
    *end = (char *) text + (*end - digits);
    return value;
}

// What the end of the text makes of the call. Where there were only conversions that store nothing, C11
// says 0, and glibc gives -1.
static int __lakatos_scan_end(int stored, int is_converted)
{
    extern int __lakatos_unknown_int(void);
    if (stored > 0)
        return stored;
    return is_converted && __lakatos_unknown_int() ? 0 : -1;
}

// vsscanf: C11 7.21.6.14.
static int __lakatos_vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    extern int __lakatos_unknown_int(void);
    extern int __lakatos_gap_sscanf(void);
    const char *at = text;
    int stored = 0, is_converted = 0;
    while (*format != 0) {
        int width, length, is_dropped;
        if (__lakatos_is_white_space(*format)) {
            while (__lakatos_is_white_space(*at))
                at++;
            format++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                while (__lakatos_is_white_space(*at))
                    at++;
            }
            if (*at != *format)
                return *at == 0 ? __lakatos_scan_end(stored, is_converted) : stored;
            at++;
            format++;
            continue;
        }
        format++;
        is_dropped = __lakatos_scan_directive(&format, &width, &length);
        if (*format != 'c' && *format != '[' && *format != 'n')
            while (__lakatos_is_white_space(*at))
                at++;
        if (*format != 'n' && *at == 0)
            return __lakatos_scan_end(stored, is_converted);
        switch (*format) {
        case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': {
            int base = *format == 'i' ? 0 : *format == 'o' ? 8 : *format == 'd' || *format == 'u' ? 10 : 16;
            char *end;
            long long number = (long long) __lakatos_scan_number(at, &end, base, width);
            if (end == at)
                return stored;
            // What is "0x" without a digit, "0b", and numbers that do not fit into the object, have no model.
            if (base != 10 && base != 8
                && (*end == 'x' || *end == 'X' || *end == 'b' || *end == 'B'))
                return __lakatos_gap_sscanf();
            if (number == 0x7fffffffffffffff || number == -0x7fffffffffffffff - 1)
                return __lakatos_gap_sscanf();
            at = end;
            if (is_dropped)
                break;
            if (length == 'l' || length == 'z' || length == 't') {
                long *target = __builtin_va_arg(arguments, long *);
                *target = (long) number;
                if (*format == 'd' || *format == 'i' ? *target != number : (unsigned long) *target != (unsigned long long) number)
                    return __lakatos_gap_sscanf();
            } else if (length == 2 * 'l' || length == 'j' || length == 'q') {
                *__builtin_va_arg(arguments, long long *) = number;
            } else if (length == 'h') {
                short *target = __builtin_va_arg(arguments, short *);
                *target = (short) number;
                if (number < -32768 || number > 65535)
                    return __lakatos_gap_sscanf();
            } else if (length == 2 * 'h') {
                signed char *target = __builtin_va_arg(arguments, signed char *);
                *target = (signed char) number;
                if (number < -128 || number > 255)
                    return __lakatos_gap_sscanf();
            } else {
                int *target = __builtin_va_arg(arguments, int *);
                *target = (int) number;
                if (number < -2147483647 - 1 || number > (*format == 'd' || *format == 'i' ? 2147483647 : 4294967295))
                    return __lakatos_gap_sscanf();
            }
            break;
        }
        case 'c': case 's': case '[': {
            char *target = 0;
            const char *end = *format == '[' ? __lakatos_end_of_set(format + 1) : format;
            int number = 0, most = *format == 'c' && width == 0 ? 1 : width;
            if (length != 0)
                return __lakatos_gap_sscanf();
            if (!is_dropped)
                target = __builtin_va_arg(arguments, char *);
            while (*at != 0 && (most == 0 || number < most)) {
                if (*format == 's' && __lakatos_is_white_space(*at))
                    break;
                if (*format == '[' && !__lakatos_in_set(*at, format + 1, end))
                    break;
                if (!is_dropped)
                    target[number] = *at;
                number++;
                at++;
            }
            // Fewer characters than wanted: whether that counts is not said (glibc says yes).
            if (number == 0)
                return stored;
            if (!is_dropped && *format != 'c')
                target[number] = 0;
            format = end;
            break;
        }
        case 'n':
            if (length != 0)
                return __lakatos_gap_sscanf();
            if (!is_dropped)
                *__builtin_va_arg(arguments, int *) = (int) (at - text);
            format++;
            continue;
        default:
            return __lakatos_gap_sscanf();
        }
        is_converted = 1;
        if (!is_dropped)
            stored++;
        format++;
    }
    return stored;
}

// vscanf: C11 7.21.6.11.
static int __lakatos_vscanf(const char *format, __builtin_va_list arguments)
{
    return __lakatos_get_formatted(format, arguments);
}

// sscanf: C11 7.21.6.7.
static int __lakatos_sscanf(const char *text, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// fscanf: C11 7.21.6.2.
static int __lakatos_fscanf(void *stream, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// scanf: C11 7.21.6.4.
static int __lakatos_scanf(const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_get_formatted(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc99_sscanf: glibc's name for C99 and later.
static int __lakatos___isoc99_sscanf(const char *text, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc99_fscanf: glibc's name for C99 and later.
static int __lakatos___isoc99_fscanf(void *stream, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc99_scanf: glibc's name for C99 and later.
static int __lakatos___isoc99_scanf(const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_get_formatted(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc99_vsscanf: glibc's name for C99 and later.
static int __lakatos___isoc99_vsscanf(const char *text, const char *format,
    __builtin_va_list arguments)
{
    return __lakatos_vsscanf(text, format, arguments);
}

// __isoc99_vfscanf: glibc's name for C99 and later.
static int __lakatos___isoc99_vfscanf(void *stream, const char *format, __builtin_va_list arguments)
{
    return __lakatos_vfscanf(stream, format, arguments);
}

// __isoc99_vscanf: glibc's name for C99 and later.
static int __lakatos___isoc99_vscanf(const char *format, __builtin_va_list arguments)
{
    return __lakatos_get_formatted(format, arguments);
}

// __isoc23_sscanf: glibc's name for C23.
static int __lakatos___isoc23_sscanf(const char *text, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc23_fscanf: glibc's name for C23.
static int __lakatos___isoc23_fscanf(void *stream, const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_vfscanf(stream, format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc23_scanf: glibc's name for C23.
static int __lakatos___isoc23_scanf(const char *format, ...)
{
    __builtin_va_list arguments;
    int result;
    __builtin_va_start(arguments, format);
    result = __lakatos_get_formatted(format, arguments);
    __builtin_va_end(arguments);
    return result;
}

// __isoc23_vsscanf: glibc's name for C23.
static int __lakatos___isoc23_vsscanf(const char *text, const char *format,
    __builtin_va_list arguments)
{
    return __lakatos_vsscanf(text, format, arguments);
}

// __isoc23_vfscanf: glibc's name for C23.
static int __lakatos___isoc23_vfscanf(void *stream, const char *format, __builtin_va_list arguments)
{
    return __lakatos_vfscanf(stream, format, arguments);
}

// __isoc23_vscanf: glibc's name for C23.
static int __lakatos___isoc23_vscanf(const char *format, __builtin_va_list arguments)
{
    return __lakatos_get_formatted(format, arguments);
}
