// Models of <stdlib.h> and <search.h> (C11 7.22, POSIX) as of glibc in the C locale.

// abs: C11 7.22.6.1. The least number has no absolute value: -number overflows.
static int __lakatos_abs(int number)
{
    return number < 0 ? -number : number;
}

// labs: C11 7.22.6.1. The least number has no absolute value: -number overflows.
static long __lakatos_labs(long number)
{
    return number < 0 ? -number : number;
}

// llabs: C11 7.22.6.1. The least number has no absolute value: -number overflows.
static long long __lakatos_llabs(long long number)
{
    return number < 0 ? -number : number;
}

// div_t: C11 7.22p3.
struct __lakatos_div_t {
    int quot, rem;
};

// ldiv_t: C11 7.22p3.
struct __lakatos_ldiv_t {
    long quot, rem;
};

// lldiv_t: C11 7.22p3.
struct __lakatos_lldiv_t {
    long long quot, rem;
};

// div: C11 7.22.6.2. A quotient that does not fit, and a division by zero, are undefined.
static struct __lakatos_div_t __lakatos_div(int number, int divisor)
{
    struct __lakatos_div_t result = {number / divisor, number % divisor};
    return result;
}

// ldiv: C11 7.22.6.2.
static struct __lakatos_ldiv_t __lakatos_ldiv(long number, long divisor)
{
    struct __lakatos_ldiv_t result = {number / divisor, number % divisor};
    return result;
}

// lldiv: C11 7.22.6.2.
static struct __lakatos_lldiv_t __lakatos_lldiv(long long number, long long divisor)
{
    struct __lakatos_lldiv_t result = {number / divisor, number % divisor};
    return result;
}

// White space in the C locale.
static int __lakatos_is_white_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

// atoi: C11 7.22.1.2. A number beyond the type is undefined in C11; glibc gives what strtol gives.
static int __lakatos_atoi(const char *text)
{
    return (int) __lakatos_strtol(text, 0, 10);
}

// atol: C11 7.22.1.2. A number beyond the type is undefined in C11; glibc gives what strtol gives.
static long __lakatos_atol(const char *text)
{
    return __lakatos_strtol(text, 0, 10);
}

// atoll: C11 7.22.1.2. A number beyond the type is undefined in C11; glibc gives what strtol gives.
static long long __lakatos_atoll(const char *text)
{
    return __lakatos_strtoll(text, 0, 10);
}

// The value of a digit in the bases up to 36; 36 for any other character.
static int __lakatos_digit_value(int character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'Z')
        return character - 'A' + 10;
    return 36;
}

// The base that the first two characters of a number announce, 0x or 0b; 0 if they announce none.
static int __lakatos_announced_base(int first, int second, int base, int binary)
{
    if (first != '0')
        return 0;
    if ((second == 'x' || second == 'X') && (base == 0 || base == 16))
        return 16;
    if ((second == 'b' || second == 'B') && (base == 0 || base == 2) && binary)
        return 2;
    return 0;
}

// read_integer: the number behind strtol and its relatives (C11 7.22.1.4). The limit is the largest
// number of the result's type; the result has to be converted to that type. As with glibc a base
// that is none sets EINVAL and leaves *end alone, and "0x" without a digit ends before the x.
static unsigned long long __lakatos_read_integer(const char *text, char **end, int base,
    int binary, int is_signed, unsigned long long limit)
{
    const char *cursor = text;
    const char *first;
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
        *end = (char *) (cursor != first ? cursor : announced != 0 ? first - 1 : text);
    if (overflow) {
        __lakatos_errno_value = 34; // ERANGE
        return is_signed && negative ? 0 - limit : limit;
    }
    return negative ? 0 - value : value;
}

// strtol: C11 7.22.1.4.
static long __lakatos_strtol(const char *text, char **end, int base)
{
    return (long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// strtoll: C11 7.22.1.4.
static long long __lakatos_strtoll(const char *text, char **end, int base)
{
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// strtoul: C11 7.22.1.4.
static unsigned long __lakatos_strtoul(const char *text, char **end, int base)
{
    return (unsigned long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// strtoull: C11 7.22.1.4.
static unsigned long long __lakatos_strtoull(const char *text, char **end, int base)
{
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// strtoq: glibc (BSD), strtoll.
static long long __lakatos_strtoq(const char *text, char **end, int base)
{
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// strtouq: glibc (BSD), strtoull.
static unsigned long long __lakatos_strtouq(const char *text, char **end, int base)
{
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// strtol_l: glibc; every locale is the C locale.
static long __lakatos_strtol_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// __strtol_l: glibc's other name for strtol_l.
static long __lakatos___strtol_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// __strtol_internal: glibc's old macros; there is no grouping in the C locale.
static long __lakatos___strtol_internal(const char *text, char **end, int base, int group)
{
    (void) group;
    return (long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long) -1 >> 1);
}

// __isoc23_strtol: what strtol is since glibc 2.38 for C23: it knows 0b, too.
static long __lakatos___isoc23_strtol(const char *text, char **end, int base)
{
    return (long) __lakatos_read_integer(text, end, base, 1, 1, (unsigned long) -1 >> 1);
}

// strtoll_l: glibc; every locale is the C locale.
static long long __lakatos_strtoll_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// __strtoll_l: glibc's other name for strtoll_l.
static long long __lakatos___strtoll_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// __strtoll_internal: glibc's old macros; there is no grouping in the C locale.
static long long __lakatos___strtoll_internal(const char *text, char **end, int base, int group)
{
    (void) group;
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// __isoc23_strtoll: what strtoll is since glibc 2.38 for C23: it knows 0b, too.
static long long __lakatos___isoc23_strtoll(const char *text, char **end, int base)
{
    return (long long) __lakatos_read_integer(text, end, base, 1, 1, (unsigned long long) -1 >> 1);
}

// strtoul_l: glibc; every locale is the C locale.
static unsigned long __lakatos_strtoul_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (unsigned long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// __strtoul_l: glibc's other name for strtoul_l.
static unsigned long __lakatos___strtoul_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (unsigned long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// __strtoul_internal: glibc's old macros; there is no grouping in the C locale.
static unsigned long __lakatos___strtoul_internal(const char *text, char **end, int base, int group)
{
    (void) group;
    return (unsigned long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long) -1);
}

// __isoc23_strtoul: what strtoul is since glibc 2.38 for C23: it knows 0b, too.
static unsigned long __lakatos___isoc23_strtoul(const char *text, char **end, int base)
{
    return (unsigned long) __lakatos_read_integer(text, end, base, 1, 0, (unsigned long) -1);
}

// strtoull_l: glibc; every locale is the C locale.
static unsigned long long __lakatos_strtoull_l(const char *text, char **end, int base, void *locale)
{
    (void) locale;
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __strtoull_l: glibc's other name for strtoull_l.
static unsigned long long __lakatos___strtoull_l(const char *text, char **end, int base,
    void *locale)
{
    (void) locale;
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __strtoull_internal: glibc's old macros; there is no grouping in the C locale.
static unsigned long long __lakatos___strtoull_internal(const char *text, char **end, int base,
    int group)
{
    (void) group;
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __isoc23_strtoull: what strtoull is since glibc 2.38 for C23: it knows 0b, too.
static unsigned long long __lakatos___isoc23_strtoull(const char *text, char **end, int base)
{
    return (unsigned long long) __lakatos_read_integer(text, end, base, 1, 0, (unsigned long long) -1);
}

// Exchanges two elements of an array.
static void __lakatos_swap_elements(unsigned char *left, unsigned char *right, unsigned long size)
{
    unsigned long index = 0;
    while (index < size) {
        unsigned char byte = left[index];
        left[index] = right[index];
        right[index] = byte;
        index++;
    }
}

// qsort: C11 7.22.5.2, which leaves open which elements are compared how often, and how elements
// that compare equal are ordered.
// Assumption about sorting: `qsort` sorts by insertion here: equal elements keep their order
static void __lakatos_qsort(void *array, unsigned long count, unsigned long size,
    int (*compare)(const void *, const void *))
{
    unsigned char *elements = array;
    unsigned long sorted = 1;
    while (sorted < count) {
        unsigned char *element = elements + sorted * size;
        while (element != elements && compare(element - size, element) > 0) {
            __lakatos_swap_elements(element - size, element, size);
            element -= size;
        }
        sorted++;
    }
}

// qsort_r: glibc, POSIX.1-2024.
// Assumption about sorting: `qsort_r` sorts by insertion here: equal elements keep their order
static void __lakatos_qsort_r(void *array, unsigned long count, unsigned long size,
    int (*compare)(const void *, const void *, void *), void *context)
{
    unsigned char *elements = array;
    unsigned long sorted = 1;
    while (sorted < count) {
        unsigned char *element = elements + sorted * size;
        while (element != elements && compare(element - size, element, context) > 0) {
            __lakatos_swap_elements(element - size, element, size);
            element -= size;
        }
        sorted++;
    }
}

// bsearch: C11 7.22.5.1.
// Assumption about sorting: `bsearch` halves the array here: of several elements that match it finds glibc's
static void *__lakatos_bsearch(const void *key, const void *array, unsigned long count,
    unsigned long size, int (*compare)(const void *, const void *))
{
    unsigned long low = 0;
    while (low < count) {
        unsigned long middle = low + (count - low) / 2;
        const char *element = (const char *) array + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *) element;
        if (order < 0)
            count = middle;
        else
            low = middle + 1;
    }
    return 0;
}

// lfind: POSIX.
static void *__lakatos_lfind(const void *key, const void *array, unsigned long *count,
    unsigned long size, int (*compare)(const void *, const void *))
{
    const char *element = array;
    unsigned long index = 0;
    while (index < *count) {
        if (compare(key, element) == 0)
            return (void *) element;
        element += size;
        index++;
    }
    return 0;
}

// lsearch: POSIX. Appends the key if it is not found.
static void *__lakatos_lsearch(const void *key, void *array, unsigned long *count,
    unsigned long size, int (*compare)(const void *, const void *))
{
    void *found = __lakatos_lfind(key, array, count, size, compare);
    if (found == 0) {
        found = (char *) array + *count * size;
        __builtin_memcpy(found, key, size);
        *count += 1;
    }
    return found;
}

// mbtowc: C11 7.22.7.2. In the C locale up to glibc 2.36 bytes from 128 on are no characters. As with
// glibc a first byte of 0 counts even where the size is 0.
static int __lakatos_mbtowc(int *character, const char *text, unsigned long size)
{
    if (text == 0)
        return 0;
    if (size == 0 && *text != 0)
        return -1;
    if ((unsigned char) *text > 127) {
        __lakatos_errno_value = 84; // EILSEQ
        return -1;
    }
    if (character != 0)
        *character = *text;
    return *text != 0;
}

// mblen: C11 7.22.7.1. In the C locale up to glibc 2.36 bytes from 128 on are no characters.
static int __lakatos_mblen(const char *text, unsigned long size)
{
    if (text == 0)
        return 0;
    return __lakatos_mbtowc(0, text, size);
}

// wctomb: C11 7.22.7.3. In the C locale up to glibc 2.36 there are the characters 0 to 127.
static int __lakatos_wctomb(char *text, int character)
{
    if (text == 0)
        return 0;
    if (character < 0 || character > 127) {
        __lakatos_errno_value = 84; // EILSEQ
        return -1;
    }
    *text = (char) character;
    return 1;
}

// mbstowcs: C11 7.22.8.1. In the C locale up to glibc 2.36 bytes from 128 on are no characters. If
// the array is null, POSIX ignores the size and only counts.
static unsigned long __lakatos_mbstowcs(int *characters, const char *text, unsigned long size)
{
    unsigned long length = 0;
    while (characters == 0 || length < size) {
        if ((unsigned char) text[length] > 127) {
            __lakatos_errno_value = 84; // EILSEQ
            return (unsigned long) -1;
        }
        if (characters != 0)
            characters[length] = text[length];
        if (text[length] == 0)
            return length;
        length++;
    }
    return length;
}

// wcstombs: C11 7.22.8.2. In the C locale up to glibc 2.36 there are the characters 0 to 127. If the
// array is null, POSIX ignores the size and only counts.
static unsigned long __lakatos_wcstombs(char *text, const int *characters, unsigned long size)
{
    unsigned long length = 0;
    while (text == 0 || length < size) {
        if (characters[length] < 0 || characters[length] > 127) {
            __lakatos_errno_value = 84; // EILSEQ
            return (unsigned long) -1;
        }
        if (text != 0)
            text[length] = (char) characters[length];
        if (characters[length] == 0)
            return length;
        length++;
    }
    return length;
}

// rand_r: POSIX.1-2001. The numbers are glibc's.
static int __lakatos_rand_r(unsigned int *seed)
{
    unsigned int next = *seed;
    unsigned int result;
    next = next * 1103515245 + 12345;
    result = next / 65536 % 2048;
    next = next * 1103515245 + 12345;
    result = result * 1024 ^ next / 65536 % 1024;
    next = next * 1103515245 + 12345;
    result = result * 1024 ^ next / 65536 % 1024;
    *seed = next;
    return (int) result;
}

// srand: C11 7.22.2.2. Nothing is left to do: rand gives any number of its range.
static void __lakatos_srand(unsigned int seed)
{
    (void) seed;
}

// srandom: POSIX. Nothing is left to do: random gives any number of its range.
static void __lakatos_srandom(unsigned int seed)
{
    (void) seed;
}

// srand48: POSIX. Nothing is left to do: lrand48 gives any number of its range.
static void __lakatos_srand48(long seed)
{
    (void) seed;
}

// reallocarray: glibc, POSIX.1-2024. A product that no size_t holds fails with ENOMEM.
static void *__lakatos_reallocarray(void *memory, unsigned long count, unsigned long size)
{
    void *result;
    if (size != 0 && count > (unsigned long) -1 / size) {
        __lakatos_errno_value = 12; // ENOMEM
        return 0;
    }
    result = __builtin_realloc(memory, count * size);
    if (result == 0 && count * size != 0)
        __lakatos_errno_value = 12; // ENOMEM
    return result;
}

// system: C11 7.22.4.8. Any result; the command is read. That it changes no memory is sure.
static int __lakatos_system(const char *command)
{
    extern int __lakatos_unknown_int(void);
    if (command != 0)
        (void) __builtin_strlen(command);
    __lakatos_succeed_somehow();
    return __lakatos_unknown_int();
}

// What atexit or on_exit was given: one of the two functions, and the second's argument.
struct __lakatos_handler {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void *given;
};

// All of these.
static struct __lakatos_handler __lakatos_handlers[64];

// How many of these there are.
static int __lakatos_handler_count;

// Calls what atexit and on_exit were given, the last one first. The front-end calls it where the program
// ends.
static void __lakatos_run_handlers(int status)
{
    while (__lakatos_handler_count > 0) {
        struct __lakatos_handler *last = &__lakatos_handlers[--__lakatos_handler_count];
        if (last->with_status != 0)
            last->with_status(status, last->given);
        else
            last->plain();
    }
}

// atexit: C11 7.22.4.2. __lakatos_run_handlers calls the functions. Of more than 64 nothing is known.
static int __lakatos_atexit(void (*handler)(void))
{
    extern int __lakatos_gap_atexit(void (*)(void));
    if (__lakatos_handler_count == 64)
        return __lakatos_gap_atexit(handler);
    __lakatos_handlers[__lakatos_handler_count].plain = handler;
    __lakatos_handlers[__lakatos_handler_count].with_status = 0;
    __lakatos_handler_count++;
    return 0;
}

// on_exit: glibc. As atexit; the function gets the status of the program's end and the argument.
static int __lakatos_on_exit(void (*handler)(int, void *), void *given)
{
    extern int __lakatos_gap_on_exit(void (*)(int, void *), void *);
    struct __lakatos_handler *next = &__lakatos_handlers[__lakatos_handler_count];
    if (__lakatos_handler_count == 64)
        return __lakatos_gap_on_exit(handler, given);
    next->with_status = handler;
    next->given = given;
    __lakatos_handler_count++;
    return 0;
}

// random: POSIX. Any number of its range, as rand.
static long __lakatos_random(void)
{
    extern int __lakatos_nondet_int(void);
    extern void __lakatos_assume(int);
    int number = __lakatos_nondet_int();
    __lakatos_assume(number >= 0);
    return number;
}

// lrand48: POSIX. Any number of its range, as rand.
static long __lakatos_lrand48(void)
{
    return __lakatos_random();
}

// mrand48: POSIX. Any number of its range, as rand.
static long __lakatos_mrand48(void)
{
    extern int __lakatos_nondet_int(void);
    return __lakatos_nondet_int();
}

// drand48: POSIX. A number of 48 bits behind the point. Which ones follow each other is not known.
static double __lakatos_drand48(void)
{
    extern double __lakatos_unknown_double(void);
    extern void __lakatos_assume(int);
    double number = __lakatos_unknown_double();
    __lakatos_assume(number >= 0.0 && number < 1.0);
    return number;
}

// Another state of erand48 and its relatives.
static void __lakatos_next_state(unsigned short *state)
{
    extern int __lakatos_unknown_int(void);
    unsigned short last = state[0];
    last = state[1];
    last = state[2];
    (void) last;
    state[0] = (unsigned short) __lakatos_unknown_int();
    state[1] = (unsigned short) __lakatos_unknown_int();
    state[2] = (unsigned short) __lakatos_unknown_int();
}

// erand48: POSIX. The state is three numbers of 16 bits.
static double __lakatos_erand48(unsigned short *state)
{
    __lakatos_next_state(state);
    return __lakatos_drand48();
}

// nrand48: POSIX.
static long __lakatos_nrand48(unsigned short *state)
{
    __lakatos_next_state(state);
    return __lakatos_random();
}

// jrand48: POSIX.
static long __lakatos_jrand48(unsigned short *state)
{
    __lakatos_next_state(state);
    return __lakatos_mrand48();
}

// arc4random: glibc 2.36 (BSD).
static unsigned int __lakatos_arc4random(void)
{
    extern unsigned int __lakatos_nondet_uint(void);
    return __lakatos_nondet_uint();
}

// arc4random_uniform: glibc 2.36 (BSD). Less than the limit; 0 if that is 0.
static unsigned int __lakatos_arc4random_uniform(unsigned int limit)
{
    extern unsigned int __lakatos_nondet_uint(void);
    extern void __lakatos_assume(int);
    unsigned int number = __lakatos_nondet_uint();
    if (limit == 0)
        return 0;
    __lakatos_assume(number < limit);
    return number;
}

// arc4random_buf: glibc 2.36 (BSD).
static void __lakatos_arc4random_buf(void *memory, unsigned long size)
{
    __lakatos_fill_memory(memory, size);
}

// The variables of the environment that getenv has shown, the last one first; each begins with the one before.
static void *__lakatos_shown_variables;

// What is known of the environment: 0 at the start, when everything is possible; 1 when it was looked at or
// changed; 2 when it contains strings of the program.
static int __lakatos_environment_state;

// A new string, however long, that is never freed, behind a pointer to the one before.
static char *__lakatos_keep_text(unsigned long length)
{
    void **kept = __builtin_malloc(sizeof(void *) + length + 1);
    if (kept == 0)
        return 0;
    *kept = __lakatos_shown_variables;
    __lakatos_shown_variables = kept;
    return (char *) (kept + 1);
}

// getenv: C11 7.22.4.6. Null or any string, which stays where it is. The first answer may be anything (Linux
// has strings of up to 128 KiB); of later ones it is not known how they are related.
static char *__lakatos_getenv(const char *name)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern char __lakatos_nondet_char(void);
    extern _Bool __lakatos_unknown_bool(void);
    extern unsigned long __lakatos_nondet_ulong(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    extern char *__lakatos_gap_getenv(const char *);
    unsigned long index = 0, length = __lakatos_nondet_ulong();
    char *text;
    (void) __builtin_strlen(name);
    if (__lakatos_environment_state == 2)
        return __lakatos_gap_getenv(name);
    if (__lakatos_environment_state == 1 || length > 100000)
        length = __lakatos_unknown_ulong();
    __lakatos_assume(length < (unsigned long) -1 / 2 - sizeof(void *));
    __lakatos_environment_state = 1;
    if (__lakatos_nondet_bool())
        return 0;
    text = __lakatos_keep_text(length);
    __lakatos_assume(text != 0);
    while (index < length) {
        char character = __lakatos_nondet_char();
        __lakatos_assume(character != 0);
        text[index] = character;
        index++;
    }
    text[length] = 0;
    return text;
}

// secure_getenv: glibc.
static char *__lakatos_secure_getenv(const char *name)
{
    return __lakatos_getenv(name);
}

// setenv: POSIX. The strings are copied. What getenv gave before stays, as in glibc.
static int __lakatos_setenv(const char *name, const char *value, int overwrite)
{
    (void) overwrite;
    if (name != 0)
        (void) __builtin_strlen(name);
    (void) __builtin_strlen(value);
    if (__lakatos_environment_state == 0)
        __lakatos_environment_state = 1;
    return __lakatos_uncertain_outcome();
}

// unsetenv: POSIX.
static int __lakatos_unsetenv(const char *name)
{
    if (name != 0)
        (void) __builtin_strlen(name);
    if (__lakatos_environment_state == 0)
        __lakatos_environment_state = 1;
    return __lakatos_uncertain_outcome();
}

// putenv: POSIX. The string itself becomes a part of the environment.
static int __lakatos_putenv(char *text)
{
    (void) __builtin_strlen(text);
    __lakatos_environment_state = 2;
    return __lakatos_uncertain_outcome();
}

// clearenv: glibc.
static int __lakatos_clearenv(void)
{
    if (__lakatos_environment_state == 0)
        __lakatos_environment_state = 1;
    return 0;
}

// realpath: POSIX, where a null pointer asks for memory. Null with errno; then nothing is known of the
// array. PATH_MAX is 4096.
static char *__lakatos_realpath(const char *path, char *resolved)
{
    if (path == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return 0;
    }
    (void) __builtin_strlen(path);
    if (resolved == 0) {
        char text[4096];
        char *copy;
        if (__lakatos_uncertain_outcome() != 0)
            return 0;
        copy = __lakatos_strdup(__lakatos_any_text(text, 4096));
        return copy;
    }
    __lakatos_any_text(resolved, 4096);
    return __lakatos_uncertain_outcome() == 0 ? resolved : 0;
}

// canonicalize_file_name: glibc.
static char *__lakatos_canonicalize_file_name(const char *path)
{
    return __lakatos_realpath(path, 0);
}

// Replaces the six X before the last so many characters of a path by others; EINVAL if they are not there.
static int __lakatos_fill_template(char *path, int suffix)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    unsigned long length = __builtin_strlen(path);
    char *at;
    int index = 0;
    if (suffix < 0 || length < 6 || length - 6 < (unsigned long) suffix) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    at = path + (length - 6 - (unsigned long) suffix);
    while (index < 6) {
        if (at[index] != 'X') {
            __lakatos_errno_value = 22; // EINVAL
            return -1;
        }
        index++;
    }
    index = 0;
    while (index < 6) {
        int letter = __lakatos_unknown_int();
        __lakatos_assume((letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z')
            || (letter >= 'a' && letter <= 'z'));
        at[index] = (char) letter;
        index++;
    }
    return 0;
}

// mkstemps: glibc. A file descriptor, or -1 with errno.
static int __lakatos_mkstemps(char *path, int suffix)
{
    if (__lakatos_fill_template(path, suffix) != 0)
        return -1;
    return __lakatos_any_descriptor();
}

// mkstemp: POSIX.
static int __lakatos_mkstemp(char *path)
{
    return __lakatos_mkstemps(path, 0);
}

// mkstemp64: glibc (LFS).
static int __lakatos_mkstemp64(char *path)
{
    return __lakatos_mkstemps(path, 0);
}

// mkostemp: glibc, POSIX.1-2024.
static int __lakatos_mkostemp(char *path, int flags)
{
    (void) flags;
    return __lakatos_mkstemps(path, 0);
}

// mkostemps: glibc.
static int __lakatos_mkostemps(char *path, int suffix, int flags)
{
    (void) flags;
    return __lakatos_mkstemps(path, suffix);
}

// mkdtemp: POSIX.
static char *__lakatos_mkdtemp(char *path)
{
    if (__lakatos_fill_template(path, 0) != 0)
        return 0;
    return __lakatos_any_outcome() == 0 ? path : 0;
}

// mktemp: POSIX.1-2001. After a failure the path is empty.
static char *__lakatos_mktemp(char *path)
{
    if (__lakatos_fill_template(path, 0) != 0 || __lakatos_uncertain_outcome() != 0)
        *path = 0;
    return path;
}

// Memory at an address that is a multiple of a power of 2. More than what malloc gives is not known of the
// address.
static void *__lakatos_aligned_memory(unsigned long alignment, unsigned long size)
{
    extern int __lakatos_unknown_int(void);
    if (alignment > 2 * sizeof(long))
        (void) __lakatos_unknown_int();
    return __builtin_malloc(size);
}

// memalign: glibc, which takes the next power of 2 for an alignment that is none.
static void *__lakatos_memalign(unsigned long alignment, unsigned long size)
{
    void *memory;
    if (alignment > (unsigned long) -1 / 2 + 1) {
        __lakatos_errno_value = 22; // EINVAL
        return 0;
    }
    memory = __lakatos_aligned_memory(alignment, size);
    if (memory == 0)
        __lakatos_errno_value = 12; // ENOMEM
    return memory;
}

// aligned_alloc: C11 7.22.3.1 (as of DR 460); memalign in glibc up to 2.37. From 2.38 on it fails with EINVAL
// where the alignment is no power of 2.
static void *__lakatos_aligned_alloc(unsigned long alignment, unsigned long size)
{
    extern int __lakatos_unknown_int(void);
    if ((alignment & (alignment - 1)) != 0 || alignment == 0)
        if (__lakatos_unknown_int()) {
            __lakatos_errno_value = 22; // EINVAL
            return 0;
        }
    return __lakatos_memalign(alignment, size);
}

// posix_memalign: POSIX. As in glibc, errno and after a failure *result stay.
static int __lakatos_posix_memalign(void **result, unsigned long alignment, unsigned long size)
{
    void *memory;
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return 22; // EINVAL
    memory = __lakatos_aligned_memory(alignment, size);
    if (memory == 0)
        return 12; // ENOMEM
    *result = memory;
    return 0;
}

// valloc: glibc (BSD). A page has 4096 bytes.
static void *__lakatos_valloc(unsigned long size)
{
    return __lakatos_memalign(4096, size);
}

// pvalloc: glibc. Whole pages of 4096 bytes.
static void *__lakatos_pvalloc(unsigned long size)
{
    if (size > (unsigned long) -1 - 4095) {
        __lakatos_errno_value = 12; // ENOMEM
        return 0;
    }
    return __lakatos_memalign(4096, (size + 4095) / 4096 * 4096);
}

// cfree: glibc up to 2.25, free.
static void __lakatos_cfree(void *memory)
{
    __builtin_free(memory);
}

// malloc_usable_size: glibc. At least the size that was asked for, which is not known here.
static unsigned long __lakatos_malloc_usable_size(void *memory)
{
    extern unsigned long __lakatos_unknown_ulong(void);
    return memory == 0 ? 0 : __lakatos_unknown_ulong();
}

// a64l: POSIX. At most six digits to the base 64, the lowest one first; 32 bits, with glibc without sign.
static long __lakatos_a64l(const char *text)
{
    unsigned int number = 0;
    int index = 0;
    while (index < 6 && text[index] != 0) {
        int letter = text[index];
        unsigned int digit;
        if (letter == '.' || letter == '/')
            digit = (unsigned int) (letter - '.');
        else if (letter >= '0' && letter <= '9')
            digit = (unsigned int) (letter - '0' + 2);
        else if (letter >= 'A' && letter <= 'Z')
            digit = (unsigned int) (letter - 'A' + 12);
        else if (letter >= 'a' && letter <= 'z')
            digit = (unsigned int) (letter - 'a' + 38);
        else
            break;
        number |= digit << 6 * index;
        index++;
    }
    return (long) number;
}

// The text of l64a.
static char __lakatos_base_64_text[7];

// l64a: POSIX. The digits of the lowest 32 bits, the lowest one first.
static char *__lakatos_l64a(long number)
{
    unsigned int rest = (unsigned int) number;
    int length = 0;
    while (rest != 0) {
        unsigned int digit = rest & 63;
        unsigned int first = digit < 2 ? '.' : digit < 12 ? '0' - 2 : digit < 38 ? 'A' - 12 : 'a' - 38;
        __lakatos_base_64_text[length] = (char) (first + digit);
        rest >>= 6;
        length++;
    }
    __lakatos_base_64_text[length] = 0;
    return __lakatos_base_64_text;
}

// getsubopt: POSIX. The number of the token that the option begins with, or -1; the comma behind it is overwritten.
static int __lakatos_getsubopt(char **option, char *const *tokens, char **value)
{
    char *text = *option;
    unsigned long name = 0, length = 0;
    int number = 0, found = -1;
    if (*text == 0)
        return -1;
    while (text[length] != 0 && text[length] != ',')
        length++;
    while (name < length && text[name] != '=')
        name++;
    while (found < 0 && tokens[number] != 0) {
        if (__builtin_strncmp(text, tokens[number], name) == 0 && tokens[number][name] == 0)
            found = number;
        number++;
    }
    if (found < 0)
        *value = text;
    else
        *value = name != length ? text + name + 1 : (char *) 0;
    if (text[length] != 0) {
        text[length] = 0;
        length++;
    }
    *option = text + length;
    return found;
}

// rpmatch: glibc. Yes, no, or -1, in the C locale.
static int __lakatos_rpmatch(const char *answer)
{
    if (*answer == 'y' || *answer == 'Y')
        return 1;
    return *answer == 'n' || *answer == 'N' ? 0 : -1;
}

// gcvt: POSIX.1-2001. Of the text only its length is bounded: 17 digits, two signs, a point, an exponent.
static char *__lakatos_gcvt(double number, int digits, char *text)
{
    (void) number;
    (void) digits;
    return __lakatos_any_text(text, 27);
}
