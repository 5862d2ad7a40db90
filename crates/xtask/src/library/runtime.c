/* Calls functions of the library and their models with the same arguments, random or at an edge, and
 * compares results, memory and errno. Choices of a model are searched for those that the library made. */

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wctype.h>

#include "runtime.h"

unsigned char memory[3][MEMORY_SIZE];
void *abandoned[5];

/* Searches for a choice of the model end after so many. */
enum { ATTEMPTS = 20000, SLOT = 1024, LONGEST = 40 };

static uint64_t state;

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned below(unsigned limit)
{
    return (unsigned) (next() % limit);
}

/* --- memory ------------------------------------------------------------------------------------ */

static unsigned used;
/* Offsets of pointers in memory, and of places for results. */
static unsigned pointers[8], pointer_count, outs[8], out_count;
/* The offset of 4 bytes of padding, which no function has to leave alone; 0 if there are none. */
static unsigned padding;

static void *slot(void)
{
    unsigned char *start = memory[0] + used;
    used += SLOT;
    if (used > MEMORY_SIZE)
        abort();
    return start;
}

static int is_inside(int copy, const void *pointer)
{
    uintptr_t at = (uintptr_t) pointer, start = (uintptr_t) memory[copy];
    return at >= start && at <= start + MEMORY_SIZE;
}

void *relocate(int copy, const void *pointer)
{
    if (!is_inside(0, pointer))
        return (void *) pointer;
    return memory[copy] + ((const unsigned char *) pointer - memory[0]);
}

static void *pointer_at(int copy, unsigned offset)
{
    void *pointer;
    memcpy(&pointer, memory[copy] + offset, sizeof pointer);
    return pointer;
}

static void make_copy(int copy)
{
    memcpy(memory[copy], memory[0], MEMORY_SIZE);
    for (unsigned i = 0; i < pointer_count; i++) {
        void *pointer = relocate(copy, pointer_at(0, pointers[i]));
        memcpy(memory[copy] + pointers[i], &pointer, sizeof pointer);
    }
}

int same_pointer(const void *left, const void *right)
{
    if (is_inside(OF_LIBC, left) && is_inside(OF_MODEL, right))
        return (const unsigned char *) left - memory[OF_LIBC] ==
            (const unsigned char *) right - memory[OF_MODEL];
    return (left == 0) == (right == 0) && is_inside(OF_LIBC, left) == is_inside(OF_MODEL, right);
}

int same_text(const char *left, const char *right)
{
    int is_elsewhere = left != 0 && right != 0 && !is_inside(OF_LIBC, left);
    return same_pointer(left, right) && (!is_elsewhere || strcmp(left, right) == 0);
}

int same_wide_text(const int *left, const int *right)
{
    int is_elsewhere = left != 0 && right != 0 && !is_inside(OF_LIBC, left);
    if (!same_pointer(left, right))
        return 0;
    while (is_elsewhere && *left == *right && *left != 0)
        left++, right++;
    return !is_elsewhere || *left == *right;
}

int same_integer(long long left, long long right)
{
    return left == right;
}

int same_floating(long double left, long double right)
{
    if (left != left || right != right)
        return left != left && right != right;
    return left == right && signbit(left) == signbit(right);
}

static int is_same_memory(void)
{
    for (unsigned i = 0; i < pointer_count; i++) {
        void *left = pointer_at(OF_LIBC, pointers[i]), *right = pointer_at(OF_MODEL, pointers[i]);
        if (!same_pointer(left, right))
            return 0;
        memset(memory[OF_LIBC] + pointers[i], 0, sizeof left);
        memset(memory[OF_MODEL] + pointers[i], 0, sizeof right);
    }
    for (int copy = OF_LIBC; padding != 0 && copy <= OF_MODEL; copy++)
        memset(memory[copy] + padding, 0, 4);
    return memcmp(memory[OF_LIBC], memory[OF_MODEL], MEMORY_SIZE) == 0;
}

/* --- arguments --------------------------------------------------------------------------------- */

static char letter(void)
{
    static const char usual[] = "aabbccABC012 \t,;./-_zZ~";
    return below(8) == 0 ? (char) (1 + below(255)) : usual[below(sizeof usual - 1)];
}

static unsigned length(void)
{
    return below(4) == 0 ? below(3) : below(LONGEST);
}

/* Memory in which there is a text. */
void *any_space(void)
{
    char *text = slot();
    unsigned end = length();
    for (unsigned i = 0; i < 2 * LONGEST; i++)
        text[i] = i == end ? 0 : letter();
    return text;
}

void *any_text(void)
{
    return any_space();
}

/* A text, or none. */
void *any_texts(void)
{
    return below(8) == 0 ? 0 : any_space();
}

void *any_bytes(void)
{
    unsigned char *bytes = slot();
    for (unsigned i = 0; i < 2 * LONGEST; i++)
        bytes[i] = below(3) == 0 ? (unsigned char) below(256) : (unsigned char) below(3);
    /* A search for a small number ends here. */
    for (unsigned i = 0; i < LONGEST; i++)
        bytes[2 * LONGEST + i] = (unsigned char) i;
    return bytes;
}

static void put_number(char *text)
{
    static const char *const special[] = { "inf", "-INFINITY", "nan", "NAN(12)", "nan(", "infinit", "0x",
        "0x.", ".", "-", "+", "", "1e", "1e+", "0x1p", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "2147483647", "2147483648", "-2147483649", "1e308", "1.8e308", "4.9e-324", "2e-324", "3.5e38",
        "0x1.fffffffffffff8p1023", "0x1p-1075", "5e-4951", "1.2e4932", "0b101", "0777", "08" };
    static const char digits[] = "0123456789abcdefABCxXeEpP.+- zZ_";
    switch (below(4)) {
    case 0:
        strcpy(text, special[below(sizeof special / sizeof *special)]);
        break;
    case 1:
        sprintf(text, "%s%lld%c", below(2) ? " " : "", (long long) (next() >> below(64)), letter());
        break;
    case 2:
        sprintf(text, "%.*g", (int) below(20), (double) (int64_t) next() / (double) (1 + below(1000)));
        break;
    default: {
        unsigned end = below(12);
        for (unsigned i = 0; i < end; i++)
            text[i] = digits[below(sizeof digits - 1)];
        text[end] = 0;
    }
    }
}

/* A text that may be a number. */
void *any_number(void)
{
    char *text = slot();
    put_number(text);
    return text;
}

void *any_wide_number(void)
{
    char text[64];
    int *wide = slot();
    put_number(text);
    for (unsigned i = 0; i < sizeof text; i++)
        if ((wide[i] = (unsigned char) text[i]) == 0)
            break;
    return wide;
}

void *any_wide_space(void)
{
    int *text = slot();
    unsigned end = length();
    for (unsigned i = 0; i < 2 * LONGEST; i++)
        text[i] = i == end ? 0 : below(16) == 0 ? (int) next() | 1 : letter();
    return text;
}

void *any_wide_text(void)
{
    return any_wide_space();
}

void *any_nowhere(void)
{
    return 0;
}

static void *keep_pointer(void *pointer)
{
    unsigned char *place = slot();
    memcpy(place, &pointer, sizeof pointer);
    pointers[pointer_count++] = (unsigned) (place - memory[0]);
    return place;
}

/* Where a pointer is put, or null. */
void *any_end(void)
{
    return below(8) == 0 ? 0 : keep_pointer(0);
}

void *any_place(void)
{
    return keep_pointer(0);
}

/* A pointer to a text. */
void *any_cursor(void)
{
    return keep_pointer(any_texts());
}

/* Where a result is put. */
void *any_out(void)
{
    unsigned char *place = slot();
    outs[out_count++] = (unsigned) (place - memory[0]);
    return place;
}

void *any_path(void)
{
    static const char usual[] = "//a.b";
    char *text = slot();
    unsigned end = below(10);
    for (unsigned i = 0; i < end; i++)
        text[i] = usual[below(sizeof usual - 1)];
    return text;
}

static void *one_of(const char *const *texts, unsigned count)
{
    return strcpy(slot(), texts[below(count)]);
}

void *any_class(void)
{
    static const char *const names[] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print",
        "punct", "space", "upper", "xdigit", "", "letter" };
    return one_of(names, 14);
}

void *any_locale(void)
{
    static locale_t c;
    return c ? c : (c = newlocale(LC_ALL_MASK, "C", 0));
}

void *any_int_place(void)
{
    return any_bytes();
}

/* How many elements there are: 10. */
void *any_count_place(void)
{
    unsigned long *place = slot();
    *place = 10;
    return place;
}

void *any_ints(void)
{
    int *numbers = slot();
    for (unsigned i = 0; i < LONGEST; i++)
        numbers[i] = (int) below(12) - 5;
    return numbers;
}

static int ascending(const void *left, const void *right)
{
    int l = *(const int *) left, r = *(const int *) right;
    return (l > r) - (l < r);
}

static int ascending_3(const void *left, const void *right, void *context)
{
    (void) context;
    return ascending(left, right);
}

void *any_sorted_ints(void)
{
    int *numbers = any_ints();
    qsort(numbers, LONGEST, sizeof *numbers, ascending);
    return numbers;
}

int (*any_order(void))(const void *, const void *)
{
    return ascending;
}

int (*any_order_3(void))(const void *, const void *, void *)
{
    return ascending_3;
}

void *any_seconds(void)
{
    time_t *seconds = slot();
    *seconds = (time_t) (next() >> (10 + below(30)));
    *seconds = below(2) ? -*seconds : *seconds;
    return seconds;
}

/* A struct tm to fill; its last member points to the library's name of the time zone. */
void *any_moment(void)
{
    struct tm *tm = slot();
    pointers[pointer_count++] = (unsigned) ((unsigned char *) &tm->tm_zone - memory[0]);
    padding = (unsigned) ((unsigned char *) &tm->tm_gmtoff - memory[0]) - 4;
    return tm;
}

void *any_calendar(void)
{
    struct tm *tm = any_moment();
    tm->tm_year = (int) below(400) - 100, tm->tm_mon = (int) below(40) - 10;
    tm->tm_mday = (int) below(60) - 10, tm->tm_hour = (int) below(60) - 10;
    tm->tm_min = (int) below(200) - 50, tm->tm_sec = (int) below(200) - 50;
    return tm;
}

unsigned long any_size(void)
{
    return below(LONGEST);
}

unsigned long any_few(void)
{
    return below(11);
}

unsigned long any_alignment(void)
{
    return 8ul << below(6);
}

int any_byte(void)
{
    return below(2) ? letter() : (int) below(512) - 128;
}

int any_character(void)
{
    return (int) below(257) - 1;
}

int any_wide_character(void)
{
    return below(4) ? (int) below(300) - 2 : (int) next();
}

int any_base(void)
{
    static const int usual[] = { 0, 10, 16, 8, 2, 36 };
    return below(3) ? usual[below(6)] : (int) below(40) - 1;
}

int any_zero(void) { return 0; }
int any_four(void) { return 4; }
int any_hundred(void) { return 100; }

static int64_t integer(unsigned bits)
{
    int64_t value = (int64_t) (next() >> (64 - bits));
    switch (below(4)) {
    case 0:
        return (int64_t) below(33) - 16;
    case 1:
        return (int64_t) ((uint64_t) 1 << below(bits)) - below(2);
    case 2:
        return -(int64_t) ((uint64_t) 1 << below(bits)) - below(2);
    default:
        return value;
    }
}

int any_int(void) { return (int) integer(32); }
unsigned int any_uint(void) { return (unsigned int) integer(32); }
long any_long(void) { return integer(64); }
unsigned long any_ulong(void) { return (unsigned long) integer(64); }
long long any_longlong(void) { return integer(64); }

int any_exponent(void)
{
    return below(8) == 0 ? any_int() : (int) below(2400) - 1200;
}

long double any_long_double(void)
{
    static const long double special[] = { 0.0L, 0.5L, 1.0L, 1.5L, 2.5L, 0.49999999999999994L,
        4503599627370495.5L, 9007199254740993.0L, 9223372036854775807.0L, 9223372036854775808.0L, 2147483647.5L,
        0x1.fffffep127L, 0x1p-126L, 0x1p-149L, 0x1p-1022L, 0x1p-1074L, 0x1.fffffffffffffp1023L,
        0x1p-16382L, 0x1p-16445L, 1e4932L, 0.1L, 3.14159265358979323846L };
    long double value;
    switch (below(5)) {
    case 0:
        value = special[below(sizeof special / sizeof *special)];
        break;
    case 1:
        value = below(2) ? INFINITY : NAN;
        break;
    case 2:
        value = (long double) below(2000) / (long double) (1 + below(16));
        break;
    default:
        value = ldexpl((long double) next(), (int) below(below(2) ? 100 : 2300) - (below(2) ? 100 : 1150));
    }
    return below(2) ? -value : value;
}

double any_double(void)
{
    union { uint64_t bits; double number; } view = { next() };
    return below(3) || isnan(view.number) ? (double) any_long_double() : view.number;
}

float any_float(void)
{
    union { uint32_t bits; float number; } view = { (uint32_t) next() };
    return below(3) || isnan(view.number) ? (float) any_long_double() : view.number;
}

/* --- choices of the model ---------------------------------------------------------------------- */

static long long integers[64];
static long double numbers[64];
static unsigned integer_count, number_count, attempt, choices;

void candidate_integer(long long value)
{
    integers[integer_count++] = value;
}

void candidate_floating(long double value)
{
    numbers[number_count++] = value;
    numbers[number_count++] = -value;
    numbers[number_count++] = value / 2;
    numbers[number_count++] = -value / 2;
    /* Models of float compute with double, and those of double with long double: not yet infinite there. */
    if (isinf(value))
        numbers[number_count++] = 3.5e38L, numbers[number_count++] = 2e308L;
    if (fabsl(value) < 100000)
        candidate_integer((long long) value);
}

void candidate_pointer(const void *value)
{
    (void) value;
}

/* Results that the library left in memory, errno, and what flags are. */
static void add_usual_candidates(int error)
{
    for (unsigned i = 0; i < out_count; i++) {
        union { unsigned char bytes[8]; int i; long l; } view;
        memcpy(view.bytes, memory[OF_LIBC] + outs[i], sizeof view.bytes);
        candidate_integer(view.i), candidate_integer(-(long long) view.i), candidate_integer(view.l);
    }
    candidate_integer(error), candidate_integer(0), candidate_integer(1), candidate_integer(-1);
}

static long long choose_integer(void)
{
    choices++;
    if (attempt == 0)
        return integers[0];
    switch (below(16)) {
    case 0:
        return (long long) next();
    case 1: case 2: case 3: case 4: case 5: case 6: case 7:
        return 0;
    default:
        return integers[below(integer_count)];
    }
}

/* A result in memory, as one of the floating types. */
static long double number_in(unsigned offset, unsigned type)
{
    union { unsigned char bytes[16]; float f; double d; long double e; } view;
    memcpy(view.bytes, memory[OF_LIBC] + offset, sizeof view.bytes);
    return type == 0 ? view.f : type == 1 ? view.d : view.e;
}

static long double choose_number(void)
{
    long double number;
    unsigned index;
    choices++;
    if (attempt == 0 && number_count != 0)
        return numbers[0];
    if (number_count + out_count == 0)
        return 0;
    index = below(number_count + 6 * out_count);
    if (index < number_count)
        return numbers[index];
    index -= number_count;
    number = number_in(outs[index / 6], index % 3);
    return index % 6 < 3 ? number : -number;
}

#define CHOICE(type, name, source)                                                                 \
    type __lakatos_nondet_##name(void) { return (type) source; }                                   \
    type __lakatos_unknown_##name(void) { return (type) source; }
CHOICE(_Bool, bool, choose_integer())
CHOICE(char, char, choose_integer())
CHOICE(unsigned char, uchar, choose_integer())
CHOICE(short, short, choose_integer())
CHOICE(unsigned short, ushort, choose_integer())
CHOICE(int, int, choose_integer())
CHOICE(unsigned int, uint, choose_integer())
CHOICE(long, long, choose_integer())
CHOICE(unsigned long, ulong, choose_integer())
CHOICE(long long, longlong, choose_integer())
CHOICE(unsigned long long, ulonglong, choose_integer())
CHOICE(float, float, choose_number())
CHOICE(double, double, choose_number())
CHOICE(long double, long_double, choose_number())

void __lakatos_assume(int holds)
{
    if (!holds)
        __builtin_longjmp(abandoned, 1);
}

/* --- the comparison ---------------------------------------------------------------------------- */

extern int *errno_of_model(void);
static int error_of_libc;

void show_integer(long long value)
{
    printf(" %lld", value);
}

void show_floating(long double value)
{
    printf(" %La (%.20Lg)", value, value);
}

static void show_bytes(const unsigned char *bytes)
{
    unsigned end = 56;
    while (end > 0 && bytes[end - 1] == 0)
        end--;
    printf(" \"");
    for (unsigned i = 0; i <= end; i++)
        if (bytes[i] >= ' ' && bytes[i] <= '~')
            putchar(bytes[i]);
        else
            printf("\\%o", bytes[i]);
    printf("\"");
}

void show_pointer(const void *value)
{
    if (value == 0)
        printf(" null");
    for (int copy = 0; copy < 3; copy++)
        if (is_inside(copy, value)) {
            ptrdiff_t offset = (const unsigned char *) value - memory[copy];
            printf(" [%td]", offset);
            for (int of = 0; of < 3; of++)
                show_bytes(memory[of] + offset);
            return;
        }
    if (value != 0)
        printf(" elsewhere");
}

void show_function(int (*function)(const void *, const void *))
{
    (void) function;
    printf(" function");
}

void show_function_3(int (*function)(const void *, const void *, void *))
{
    (void) function;
    printf(" function");
}

/* Whether the model can do what the library did. */
static int is_admitted(const struct row *row)
{
    for (attempt = 0; attempt < ATTEMPTS; attempt++) {
        choices = 0;
        make_copy(OF_MODEL);
        *errno_of_model() = 0;
        if (__builtin_setjmp(abandoned) == 0) {
            unsigned char before[MEMORY_SIZE];
            row->call_model();
            memcpy(before, memory[OF_LIBC], sizeof before);
            int is_same = row->is_same() && *errno_of_model() == error_of_libc && is_same_memory();
            memcpy(memory[OF_LIBC], before, sizeof before);
            if (is_same)
                return 1;
        }
        if (choices == 0)
            return 0;
    }
    return 0;
}

static int try(const struct row *row)
{
    memset(memory[0], 0, sizeof memory[0]);
    used = pointer_count = out_count = padding = integer_count = number_count = 0;
    row->make_arguments();
    make_copy(OF_LIBC);
    errno = 0;
    row->call_libc();
    error_of_libc = errno;
    row->add_candidates();
    add_usual_candidates(error_of_libc);
    return is_admitted(row);
}

int main(int argc, char **argv)
{
    unsigned long calls = 0, count = argc > 1 ? strtoul(argv[1], 0, 10) : 1;
    unsigned long seed = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
    for (unsigned long i = 0; i < row_count; i++) {
        const struct row *row = &rows[i];
        if (row->libc == 0) {
            printf("absent %s\n", row->name);
            continue;
        }
        for (unsigned long call = 0; call < count; call++, calls++) {
            state = seed * 1000003 + i * 7919 + call * 104729;
            if (!try(row)) {
                printf("different %s:", row->name);
                row->show();
                printf(", errno %d and %d\n", error_of_libc, *errno_of_model());
                break;
            }
        }
        fflush(stdout);
    }
    printf("calls %lu\n", calls);
    return 0;
}
