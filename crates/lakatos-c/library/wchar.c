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
