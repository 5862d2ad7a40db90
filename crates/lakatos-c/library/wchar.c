// Models of <wchar.h> (C11 7.29) as of glibc in the C locale. wchar_t is int, wint_t is unsigned int.

// wcslen: C11 7.29.4.6.1.
static unsigned long __lakatos_wcslen(const int *text)
{
    unsigned long length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

// wcsnlen: POSIX.
static unsigned long __lakatos_wcsnlen(const int *text, unsigned long size)
{
    unsigned long length = 0;
    while (length < size && text[length] != 0)
        length++;
    return length;
}

// wmemcpy: C11 7.29.4.2.3.
static int *__lakatos_wmemcpy(int *destination, const int *source, unsigned long size)
{
    __builtin_memcpy(destination, source, size * sizeof(int));
    return destination;
}

// wmempcpy: glibc. The end of what was copied.
static int *__lakatos_wmempcpy(int *destination, const int *source, unsigned long size)
{
    __builtin_memcpy(destination, source, size * sizeof(int));
    return destination + size;
}

// wmemmove: C11 7.29.4.2.4.
static int *__lakatos_wmemmove(int *destination, const int *source, unsigned long size)
{
    __builtin_memmove(destination, source, size * sizeof(int));
    return destination;
}

// wmemset: C11 7.29.4.6.2.
static int *__lakatos_wmemset(int *destination, int character, unsigned long size)
{
    unsigned long index = 0;
    while (index < size) {
        destination[index] = character;
        index++;
    }
    return destination;
}

// wmemcmp: C11 7.29.4.4.5 says only the sign; -1, 0 and 1 are glibc's.
static int __lakatos_wmemcmp(const int *left, const int *right, unsigned long size)
{
    unsigned long index = 0;
    while (index < size) {
        if (left[index] != right[index])
            return left[index] < right[index] ? -1 : 1;
        index++;
    }
    return 0;
}

// wmemchr: C11 7.29.4.5.8.
static int *__lakatos_wmemchr(const int *memory, int character, unsigned long size)
{
    unsigned long index = 0;
    while (index < size) {
        if (memory[index] == character)
            return (int *) (memory + index);
        index++;
    }
    return 0;
}

// wcscpy: C11 7.29.4.2.1.
static int *__lakatos_wcscpy(int *destination, const int *source)
{
    return __lakatos_wmemcpy(destination, source, __lakatos_wcslen(source) + 1);
}

// wcpcpy: POSIX.
static int *__lakatos_wcpcpy(int *destination, const int *source)
{
    unsigned long length = __lakatos_wcslen(source);
    __lakatos_wmemcpy(destination, source, length + 1);
    return destination + length;
}

// wcpncpy: POSIX.
static int *__lakatos_wcpncpy(int *destination, const int *source, unsigned long size)
{
    unsigned long length = __lakatos_wcsnlen(source, size);
    __lakatos_wmemcpy(destination, source, length);
    __lakatos_wmemset(destination + length, 0, size - length);
    return destination + length;
}

// wcsncpy: C11 7.29.4.2.2.
static int *__lakatos_wcsncpy(int *destination, const int *source, unsigned long size)
{
    __lakatos_wcpncpy(destination, source, size);
    return destination;
}

// wcscat: C11 7.29.4.3.1.
static int *__lakatos_wcscat(int *destination, const int *source)
{
    __lakatos_wcscpy(destination + __lakatos_wcslen(destination), source);
    return destination;
}

// wcsncat: C11 7.29.4.3.2.
static int *__lakatos_wcsncat(int *destination, const int *source, unsigned long size)
{
    int *end = destination + __lakatos_wcslen(destination);
    unsigned long length = __lakatos_wcsnlen(source, size);
    __lakatos_wmemcpy(end, source, length);
    end[length] = 0;
    return destination;
}

// A number of the same sign, which is all that C11 says of a comparison.
static int __lakatos_any_of_sign(int sign)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int result = __lakatos_nondet_int();
    __lakatos_assume(sign < 0 ? result < 0 : result > 0);
    return result;
}

// wcscmp: C11 7.29.4.4.1. Only the sign is fixed, and glibc's numbers are not always -1 and 1.
static int __lakatos_wcscmp(const int *left, const int *right)
{
    while (*left == *right && *left != 0) {
        left++;
        right++;
    }
    if (*left == *right)
        return 0;
    return __lakatos_any_of_sign(*left < *right ? -1 : 1);
}

// wcsncmp: C11 7.29.4.4.3. Only the sign is fixed, and glibc's numbers are not always -1 and 1.
static int __lakatos_wcsncmp(const int *left, const int *right, unsigned long size)
{
    while (size > 0) {
        if (*left != *right)
            return __lakatos_any_of_sign(*left < *right ? -1 : 1);
        if (*left == 0)
            return 0;
        left++;
        right++;
        size--;
    }
    return 0;
}

// wcscoll: C11 7.29.4.4.2. The C locale compares like wcscmp.
static int __lakatos_wcscoll(const int *left, const int *right)
{
    return __lakatos_wcscmp(left, right);
}

// wcsxfrm: C11 7.29.4.4.4. The C locale copies; where the size is too small, see strxfrm.
static unsigned long __lakatos_wcsxfrm(int *destination, const int *source, unsigned long size)
{
    unsigned long length = __lakatos_wcslen(source);
    __lakatos_wmemcpy(destination, source, length < size ? length + 1 : size);
    return length;
}

// wcscasecmp: POSIX says only the sign; the difference of the lower-case letters is glibc's.
static int __lakatos_wcscasecmp(const int *left, const int *right)
{
    while (1) {
        unsigned int one = __lakatos_towlower((unsigned int) *left);
        unsigned int other = __lakatos_towlower((unsigned int) *right);
        if (one != other || one == 0)
            return (int) (one - other);
        left++;
        right++;
    }
}

// wcsncasecmp: POSIX says only the sign; the difference of the lower-case letters is glibc's.
static int __lakatos_wcsncasecmp(const int *left, const int *right, unsigned long size)
{
    while (size > 0) {
        unsigned int one = __lakatos_towlower((unsigned int) *left);
        unsigned int other = __lakatos_towlower((unsigned int) *right);
        if (one != other || one == 0)
            return (int) (one - other);
        left++;
        right++;
        size--;
    }
    return 0;
}

// wcschr: C11 7.29.4.5.1.
static int *__lakatos_wcschr(const int *text, int character)
{
    while (*text != character) {
        if (*text == 0)
            return 0;
        text++;
    }
    return (int *) text;
}

// wcschrnul: glibc.
static int *__lakatos_wcschrnul(const int *text, int character)
{
    while (*text != 0 && *text != character)
        text++;
    return (int *) text;
}

// wcsrchr: C11 7.29.4.5.4.
static int *__lakatos_wcsrchr(const int *text, int character)
{
    const int *last = 0;
    while (*text != 0) {
        if (*text == character)
            last = text;
        text++;
    }
    if (character == 0)
        last = text;
    return (int *) last;
}

// wcsspn: C11 7.29.4.5.5.
static unsigned long __lakatos_wcsspn(const int *text, const int *accept)
{
    unsigned long length = 0;
    while (text[length] != 0 && __lakatos_wcschr(accept, text[length]) != 0)
        length++;
    return length;
}

// wcscspn: C11 7.29.4.5.2.
static unsigned long __lakatos_wcscspn(const int *text, const int *reject)
{
    unsigned long length = 0;
    while (text[length] != 0 && __lakatos_wcschr(reject, text[length]) == 0)
        length++;
    return length;
}

// wcspbrk: C11 7.29.4.5.3.
static int *__lakatos_wcspbrk(const int *text, const int *accept)
{
    text += __lakatos_wcscspn(text, accept);
    if (*text == 0)
        return 0;
    return (int *) text;
}

// wcsstr: C11 7.29.4.5.6. An empty string is found at the start.
static int *__lakatos_wcsstr(const int *text, const int *sought)
{
    while (1) {
        unsigned long matched = 0;
        while (sought[matched] != 0 && text[matched] == sought[matched])
            matched++;
        if (sought[matched] == 0)
            return (int *) text;
        if (text[matched] == 0)
            return 0;
        text++;
    }
}

// wcswcs: glibc's old name of wcsstr.
static int *__lakatos_wcswcs(const int *text, const int *sought)
{
    return __lakatos_wcsstr(text, sought);
}

// wcstok: C11 7.29.4.5.7. As with glibc, the state is null once the string is used up.
static int *__lakatos_wcstok(int *text, const int *delimiters, int **state)
{
    int *end;
    if (text == 0) {
        if (*state == 0)
            return 0;
        text = *state;
    }
    text += __lakatos_wcsspn(text, delimiters);
    if (*text == 0) {
        *state = 0;
        return 0;
    }
    end = text + __lakatos_wcscspn(text, delimiters);
    if (*end == 0) {
        *state = 0;
    } else {
        *end = 0;
        *state = end + 1;
    }
    return text;
}

// wcsdup: POSIX. Null with ENOMEM if there is no memory.
static int *__lakatos_wcsdup(const int *text)
{
    unsigned long size = (__lakatos_wcslen(text) + 1) * sizeof(int);
    int *copy = __builtin_malloc(size);
    if (copy == 0) {
        __lakatos_errno_value = 12; // ENOMEM
        return 0;
    }
    __builtin_memcpy(copy, text, size);
    return copy;
}

// btowc: C11 7.29.6.1.1. In the C locale up to glibc 2.36 there are the characters 0 to 127.
static unsigned int __lakatos_btowc(int character)
{
    if (character < 0 || character > 127)
        return (unsigned int) -1;
    return (unsigned int) character;
}

// wctob: C11 7.29.6.1.2. In the C locale up to glibc 2.36 there are the characters 0 to 127.
static int __lakatos_wctob(unsigned int character)
{
    if (character > 127)
        return -1;
    return (int) character;
}

// mbsinit: C11 7.29.6.2.1. The C locale has no shift states.
static int __lakatos_mbsinit(const void *state)
{
    (void) state;
    return 1;
}

// mbrtowc: C11 7.29.6.3.2. In the C locale up to glibc 2.36 bytes from 128 on are no characters.
static unsigned long __lakatos_mbrtowc(int *character, const char *text, unsigned long size,
    void *state)
{
    (void) state;
    if (text == 0)
        return 0;
    if (size == 0)
        return (unsigned long) -2;
    if ((unsigned char) *text > 127) {
        __lakatos_errno_value = 84; // EILSEQ
        return (unsigned long) -1;
    }
    if (character != 0)
        *character = *text;
    return *text != 0;
}

// mbrlen: C11 7.29.6.3.1.
static unsigned long __lakatos_mbrlen(const char *text, unsigned long size, void *state)
{
    return __lakatos_mbrtowc(0, text, size, state);
}

// wcrtomb: C11 7.29.6.3.3. In the C locale up to glibc 2.36 there are the characters 0 to 127.
static unsigned long __lakatos_wcrtomb(char *text, int character, void *state)
{
    (void) state;
    if (text == 0)
        return 1;
    if (character < 0 || character > 127) {
        __lakatos_errno_value = 84; // EILSEQ
        return (unsigned long) -1;
    }
    *text = (char) character;
    return 1;
}

// read_wide_integer: the number behind wcstol and its relatives (C11 7.29.4.1.2). The limit is the largest
// number of the result's type; the result has to be converted to that type. As with glibc a base
// that is none sets EINVAL and leaves *end alone, and "0x" without a digit ends before the x.
static unsigned long long __lakatos_read_wide_integer(const int *text, int **end, int base,
    int binary, int is_signed, unsigned long long limit)
{
    const int *cursor = text;
    const int *first;
    unsigned long long last, value = 0;
    int announced, digit, negative, overflow = 0;
    if (base < 0 || base == 1 || base > 36) {
        __lakatos_errno_value = 22; // EINVAL
        return 0;
    }
    while (__lakatos_is_white_space(*cursor))
        cursor++;
    negative = *cursor == '-';
    if (*cursor == '-' || *cursor == '+')
        cursor++;
    announced = 0;
    if (*cursor == '0')
        announced = __lakatos_announced_base(cursor[0], cursor[1], base, binary);
    if (announced != 0) {
        base = announced;
        cursor += 2;
    } else if (base == 0) {
        base = *cursor == '0' ? 8 : 10;
    }
    if (is_signed && negative)
        limit++;
    last = limit / (unsigned long long) base;
    first = cursor;
    digit = __lakatos_digit_value(*cursor);
    while (digit < base) {
        if (value > last || (value == last && digit > (int) (limit % (unsigned long long) base)))
            overflow = 1;
        else
            value = value * (unsigned long long) base + (unsigned long long) digit;
        cursor++;
        digit = __lakatos_digit_value(*cursor);
    }
    if (end != 0)
        *end = (int *) (cursor != first ? cursor : announced != 0 ? first - 1 : text);
    if (overflow) {
        __lakatos_errno_value = 34; // ERANGE
        return is_signed && negative ? 0 - limit : limit;
    }
    return negative ? 0 - value : value;
}

// wcstol: C11 7.29.4.1.2.
static long __lakatos_wcstol(const int *text, int **end, int base)
{
    return (long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// wcstoll: C11 7.29.4.1.2.
static long long __lakatos_wcstoll(const int *text, int **end, int base)
{
    return (long long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// wcstoul: C11 7.29.4.1.2.
static unsigned long __lakatos_wcstoul(const int *text, int **end, int base)
{
    return (unsigned long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// wcstoull: C11 7.29.4.1.2.
static unsigned long long __lakatos_wcstoull(const int *text, int **end, int base)
{
    return (unsigned long long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// wcstoq: glibc (BSD), wcstoll.
static long long __lakatos_wcstoq(const int *text, int **end, int base)
{
    return (long long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// wcstouq: glibc (BSD), wcstoull.
static unsigned long long __lakatos_wcstouq(const int *text, int **end, int base)
{
    return (unsigned long long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __wcstol_internal: glibc's old macros; there is no grouping in the C locale.
static long __lakatos___wcstol_internal(const int *text, int **end, int base, int group)
{
    (void) group;
    return (long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// __isoc23_wcstol: what wcstol is since glibc 2.38 for C23: it knows 0b, too.
static long __lakatos___isoc23_wcstol(const int *text, int **end, int base)
{
    return (long) __lakatos_read_wide_integer(text, end, base, 1, 1, (unsigned long) -1 >> 1);
}

// __wcstoll_internal: glibc's old macros; there is no grouping in the C locale.
static long long __lakatos___wcstoll_internal(const int *text, int **end, int base, int group)
{
    (void) group;
    return (long long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// __isoc23_wcstoll: what wcstoll is since glibc 2.38 for C23: it knows 0b, too.
static long long __lakatos___isoc23_wcstoll(const int *text, int **end, int base)
{
    return (long long) __lakatos_read_wide_integer(text, end, base, 1, 1, (unsigned long long) -1 >> 1);
}

// __wcstoul_internal: glibc's old macros; there is no grouping in the C locale.
static unsigned long __lakatos___wcstoul_internal(const int *text, int **end, int base, int group)
{
    (void) group;
    return (unsigned long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// __isoc23_wcstoul: what wcstoul is since glibc 2.38 for C23: it knows 0b, too.
static unsigned long __lakatos___isoc23_wcstoul(const int *text, int **end, int base)
{
    return (unsigned long) __lakatos_read_wide_integer(text, end, base, 1, 0, (unsigned long) -1);
}

// __wcstoull_internal: glibc's old macros; there is no grouping in the C locale.
static unsigned long long __lakatos___wcstoull_internal(const int *text, int **end, int base,
    int group)
{
    (void) group;
    return (unsigned long long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __isoc23_wcstoull: what wcstoull is since glibc 2.38 for C23: it knows 0b, too.
static unsigned long long __lakatos___isoc23_wcstoull(const int *text, int **end, int base)
{
    return (unsigned long long) __lakatos_read_wide_integer(text, end, base, 1, 0, (unsigned long long) -1);
}

// wcswidth: POSIX. -1 if one of the characters cannot be printed.
static int __lakatos_wcswidth(const int *text, unsigned long size)
{
    unsigned long index = 0;
    while (index < size && text[index] != 0) {
        if (text[index] < 32 || text[index] > 126)
            return -1;
        index++;
    }
    return (int) index;
}

// wcwidth: POSIX. In the C locale the characters 32 to 126 can be printed.
static int __lakatos_wcwidth(int character)
{
    if (character == 0)
        return 0;
    return character >= 32 && character <= 126 ? 1 : -1;
}

// mbsnrtowcs: POSIX. In the C locale up to glibc 2.36 bytes from 128 on are no characters.
static unsigned long __lakatos_mbsnrtowcs(int *target, const char **source, unsigned long bytes,
    unsigned long size, void *state)
{
    const char *text = *source;
    unsigned long count = 0;
    (void) state;
    while (count < bytes && (target == 0 || count < size)) {
        if ((unsigned char) text[count] > 127) {
            if (target != 0)
                *source = text + count;
            __lakatos_errno_value = 84; // EILSEQ
            return (unsigned long) -1;
        }
        if (target != 0)
            target[count] = text[count];
        if (text[count] == 0) {
            if (target != 0)
                *source = 0;
            return count;
        }
        count++;
    }
    if (target != 0)
        *source = text + count;
    return count;
}

// mbsrtowcs: C11 7.29.6.4.1.
static unsigned long __lakatos_mbsrtowcs(int *target, const char **source, unsigned long size,
    void *state)
{
    return __lakatos_mbsnrtowcs(target, source, (unsigned long) -1, size, state);
}

// wcsnrtombs: POSIX. In the C locale up to glibc 2.36 there are the characters 0 to 127.
static unsigned long __lakatos_wcsnrtombs(char *target, const int **source, unsigned long characters,
    unsigned long size, void *state)
{
    const int *text = *source;
    unsigned long count = 0;
    (void) state;
    while (count < characters && (target == 0 || count < size)) {
        if (text[count] < 0 || text[count] > 127) {
            if (target != 0)
                *source = text + count;
            __lakatos_errno_value = 84; // EILSEQ
            return (unsigned long) -1;
        }
        if (target != 0)
            target[count] = (char) text[count];
        if (text[count] == 0) {
            if (target != 0)
                *source = 0;
            return count;
        }
        count++;
    }
    if (target != 0)
        *source = text + count;
    return count;
}

// wcsrtombs: C11 7.29.6.4.2.
static unsigned long __lakatos_wcsrtombs(char *target, const int **source, unsigned long size,
    void *state)
{
    return __lakatos_wcsnrtombs(target, source, (unsigned long) -1, size, state);
}

// fgetwc: C11 7.29.3.1. Any character of the C locale, or WEOF.
static unsigned int __lakatos_fgetwc(void *stream)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int character = __lakatos_nondet_int();
    __lakatos_use_stream(stream);
    __lakatos_assume(character >= -1 && character <= 127);
    __lakatos_succeed_somehow();
    return (unsigned int) character;
}

// getwc: C11 7.29.3.6.
static unsigned int __lakatos_getwc(void *stream)
{
    return __lakatos_fgetwc(stream);
}

// getwchar: C11 7.29.3.7. Any character of the C locale, or WEOF.
static unsigned int __lakatos_getwchar(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int character = __lakatos_nondet_int();
    __lakatos_assume(character >= -1 && character <= 127);
    __lakatos_succeed_somehow();
    return (unsigned int) character;
}

// fputwc: C11 7.29.3.3. The character, or WEOF with errno.
static unsigned int __lakatos_fputwc(int character, void *stream)
{
    if (__lakatos_stream_outcome(stream) != 0)
        return (unsigned int) -1;
    return (unsigned int) character;
}

// putwc: C11 7.29.3.8.
static unsigned int __lakatos_putwc(int character, void *stream)
{
    return __lakatos_fputwc(character, stream);
}

// putwchar: C11 7.29.3.9.
static unsigned int __lakatos_putwchar(int character)
{
    if (__lakatos_any_outcome() != 0)
        return (unsigned int) -1;
    return (unsigned int) character;
}

// fgetws: C11 7.29.3.2. As fgets, with characters of the C locale.
static int *__lakatos_fgetws(int *text, int size, void *stream)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int length = 0;
    __lakatos_use_stream(stream);
    __lakatos_succeed_somehow();
    if (size <= 0)
        return 0;
    while (length < size - 1 && __lakatos_nondet_int()) {
        int character = __lakatos_nondet_int();
        __lakatos_assume(character >= 0 && character <= 127);
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

// fputws: C11 7.29.3.4. Any number that is not negative, or -1 with errno.
static int __lakatos_fputws(const int *text, void *stream)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int result = __lakatos_unknown_int();
    (void) __lakatos_wcslen(text);
    if (__lakatos_stream_outcome(stream) != 0)
        return -1;
    __lakatos_assume(result >= 0);
    return result;
}

// ungetwc: C11 7.29.3.10. WEOF cannot be pushed back, and other characters not always.
static unsigned int __lakatos_ungetwc(unsigned int character, void *stream)
{
    extern int __lakatos_unknown_int(void);
    __lakatos_use_stream(stream);
    if (character == (unsigned int) -1 || __lakatos_unknown_int())
        return (unsigned int) -1;
    return character;
}

// fwide: C11 7.29.3.5. Nothing is known of the stream, so any answer.
static int __lakatos_fwide(void *stream, int mode)
{
    extern int __lakatos_unknown_int(void);
    (void) mode;
    __lakatos_use_stream(stream);
    return __lakatos_unknown_int();
}

// Reads a wide format to its end. Of one with %s, %S, %n or %m nothing is known.
static void __lakatos_read_wide_format(const int *format)
{
    extern void __lakatos_gap_wprintf(const int *);
    int in_directive = 0;
    while (*format != 0) {
        int letter = *format;
        if (!in_directive) {
            in_directive = letter == '%';
        } else if (letter == 's' || letter == 'S' || letter == 'n' || letter == 'm') {
            __lakatos_gap_wprintf(format);
            return;
        } else if (letter == '%' || (letter >= 'A' && letter <= 'Z' && letter != 'L' && letter != 'I')
            || (letter >= 'a' && letter <= 'z' && letter != 'h' && letter != 'l' && letter != 'j'
                && letter != 'z' && letter != 't' && letter != 'q')) {
            in_directive = 0;
        }
        format++;
    }
}

// What a function gives that writes wide characters to a stream: a number that is not negative, or -1.
static int __lakatos_wide_written(void)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int number = __lakatos_unknown_int();
    __lakatos_assume(number >= -1);
    __lakatos_succeed_somehow();
    return number;
}

// vwprintf: C11 7.29.2.9.
static int __lakatos_vwprintf(const int *format, __builtin_va_list arguments)
{
    (void) arguments;
    __lakatos_read_wide_format(format);
    return __lakatos_wide_written();
}

// wprintf: C11 7.29.2.11.
static int __lakatos_wprintf(const int *format, ...)
{
    __lakatos_read_wide_format(format);
    return __lakatos_wide_written();
}

// vfwprintf: C11 7.29.2.5.
static int __lakatos_vfwprintf(void *stream, const int *format, __builtin_va_list arguments)
{
    (void) arguments;
    __lakatos_use_stream(stream);
    __lakatos_read_wide_format(format);
    return __lakatos_wide_written();
}

// fwprintf: C11 7.29.2.1.
static int __lakatos_fwprintf(void *stream, const int *format, ...)
{
    __lakatos_use_stream(stream);
    __lakatos_read_wide_format(format);
    return __lakatos_wide_written();
}

// Writes at most so many wide characters, the last one null: how many there are before it, or -1. What they are is
// not known.
static int __lakatos_put_any_wide(int *target, unsigned long room)
{
    extern int __lakatos_unknown_int(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    unsigned long length = __lakatos_unknown_ulong();
    unsigned long index = 0;
    __lakatos_succeed_somehow();
    if (room == 0)
        return -1;
    __lakatos_assume(length < room && length <= 2147483647);
    while (index < length) {
        target[index] = __lakatos_unknown_int();
        index++;
    }
    target[length] = 0;
    return __lakatos_unknown_int() ? (int) length : -1;
}

// vswprintf: C11 7.29.2.7.
static int __lakatos_vswprintf(int *target, unsigned long room, const int *format,
    __builtin_va_list arguments)
{
    (void) arguments;
    __lakatos_read_wide_format(format);
    return __lakatos_put_any_wide(target, room);
}

// swprintf: C11 7.29.2.3.
static int __lakatos_swprintf(int *target, unsigned long room, const int *format, ...)
{
    __lakatos_read_wide_format(format);
    return __lakatos_put_any_wide(target, room);
}

// wcstod: C11 7.29.4.1.1. Which number the text stands for is not known, nor where that ends; 0 if there is none.
static double __lakatos_wcstod(const int *text, int **end)
{
    extern double __lakatos_unknown_double(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    unsigned long place = __lakatos_unknown_ulong();
    __lakatos_assume(place <= __lakatos_wcslen(text));
    __lakatos_ieee_maybe_error(34); // ERANGE
    if (end != 0)
        *end = (int *) text + place;
    return place == 0 ? 0.0 : __lakatos_unknown_double();
}

// wcstof: C11 7.29.4.1.1.
static float __lakatos_wcstof(const int *text, int **end)
{
    extern float __lakatos_unknown_float(void);
    int *behind;
    (void) __lakatos_wcstod(text, &behind);
    if (end != 0)
        *end = behind;
    return behind == text ? 0.0f : __lakatos_unknown_float();
}

// wcsftime: C11 7.29.5.1. Any text that fits, or 0 and then nothing is known of the array.
static unsigned long __lakatos_wcsftime(int *text, unsigned long size, const int *format,
    const void *broken)
{
    extern _Bool __lakatos_unknown_bool(void);
    (void) __lakatos_wcslen(format);
    __lakatos_read_memory(broken, 9 * sizeof(int));
    if (size == 0)
        return 0;
    (void) __lakatos_put_any_wide(text, size);
    if (__lakatos_unknown_bool())
        return 0;
    return __lakatos_wcslen(text);
}
