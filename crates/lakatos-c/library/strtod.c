// Models of the functions of <stdlib.h> that read a floating-point number (C11 7.22.1.3, POSIX) as of glibc
// in the C locale, where numbers are rounded to nearest. What is read, where it ends and what errno becomes is
// exact. So is the value where few digits decide it; otherwise it is bounded only.

// What stands in a text: the sign, and digits * base to the power of the exponent, where a bit more stands
// for further digits that are not all zero. The base is 10, or 2 for the hexadecimal form, 1 for infinity,
// -1 for a NaN and 0 for no number.
struct __lakatos_float_text {
    unsigned long long digits;
    long long exponent;
    int base;
    int negative;
    int more;
};

// The length of a word at the start of a text, whatever the case of its letters; 0 if it is not there.
static unsigned long __lakatos_starts_with(const char *text, const char *word)
{
    unsigned long length = 0;
    while (word[length] != 0) {
        if (__lakatos_tolower((unsigned char) text[length]) != word[length])
            return 0;
        length++;
    }
    return length;
}

// The end of "nan" and, with glibc, of what may stand behind it in parentheses.
static const char *__lakatos_end_of_nan(const char *text)
{
    const char *end = text + 3;
    if (*end != '(')
        return end;
    end++;
    while (__lakatos_digit_value(*end) < 36 || *end == '_')
        end++;
    return *end == ')' ? end + 1 : text + 3;
}

// The exponent at the end of a number, which begins with the letter e or p; none if there is no digit. Beyond
// 18 digits it is out of every range.
static const char *__lakatos_read_exponent(const char *text, long long *exponent)
{
    const char *cursor = text + 1;
    long long value = 0;
    int negative = *cursor == '-';
    if (*cursor == '-' || *cursor == '+')
        cursor++;
    if (*cursor < '0' || *cursor > '9')
        return text;
    while (*cursor >= '0' && *cursor <= '9') {
        if (value < 100000000000000000)
            value = value * 10 + (*cursor - '0');
        cursor++;
    }
    *exponent += negative ? -value : value;
    return cursor;
}

// The digits of a number with a point; null if there is none. Zeros at the end are left out.
static const char *__lakatos_read_digits(
    const char *text, struct __lakatos_float_text *number, int base)
{
    unsigned long long digits = 0, limit = ((unsigned long long) -1 - 15) / (unsigned long long) base;
    long long point = 0, zeros = 0;
    int is_behind = 0, has_digit = 0, more = 0;
    while (1) {
        int digit = __lakatos_digit_value(*text);
        if (*text == '.' && !is_behind) {
            is_behind = 1;
            text++;
            continue;
        }
        if (digit >= base)
            break;
        has_digit = 1;
        point -= is_behind;
        text++;
        if (digit == 0) {
            zeros++;
            continue;
        }
        // The zeros between this digit and the last one count.
        while (zeros > 0 && digits != 0 && digits <= limit) {
            digits *= (unsigned long long) base;
            zeros--;
        }
        if (digits == 0)
            zeros = 0;
        if (zeros > 0 || digits > limit) {
            // There is no more room.
            more = 1;
            zeros++;
        } else {
            digits = digits * (unsigned long long) base + (unsigned long long) digit;
        }
    }
    number->digits = digits;
    number->more = more;
    number->exponent = (digits == 0 ? 0 : point + zeros) * (base == 16 ? 4 : 1);
    // A point without digits before it belongs to no number if there are none behind it.
    return has_digit ? text : 0;
}

// Reads a number; the end of it.
static const char *__lakatos_read_float_text(
    const char *text, struct __lakatos_float_text *number)
{
    const char *cursor = text;
    const char *end;
    number->base = 0;
    while (__lakatos_is_white_space(*cursor))
        cursor++;
    number->negative = *cursor == '-';
    if (*cursor == '-' || *cursor == '+')
        cursor++;
    if (__lakatos_starts_with(cursor, "inf") != 0) {
        number->base = 1;
        return cursor + (__lakatos_starts_with(cursor, "infinity") != 0 ? 8 : 3);
    }
    if (__lakatos_starts_with(cursor, "nan") != 0) {
        number->base = -1;
        return __lakatos_end_of_nan(cursor);
    }
    if (*cursor == '0' && (cursor[1] == 'x' || cursor[1] == 'X')) {
        end = __lakatos_read_digits(cursor + 2, number, 16);
        if (end != 0) {
            number->base = 2;
            if (*end == 'p' || *end == 'P')
                end = __lakatos_read_exponent(end, &number->exponent);
            return end;
        }
    }
    end = __lakatos_read_digits(cursor, number, 10);
    if (end == 0)
        return text;
    number->base = 10;
    if (*end == 'e' || *end == 'E')
        end = __lakatos_read_exponent(end, &number->exponent);
    return end;
}

// The bits of a number that is not 0, digits * 2 to the power of the exponent, rounded to nearest and even.
// The largest exponent of the format is that of its largest power of 2.
static unsigned long long __lakatos_round_binary(unsigned long long digits, int more,
    long long exponent, int precision, int largest)
{
    extern int __lakatos_unknown_int(void);
    unsigned long long kept, rest, half, infinity;
    int drop = 64 - precision, least = 1 - largest, is_tiny;
    infinity = (unsigned long long) (2 * largest + 1) << (precision - 1);
    while (digits >> 63 == 0) {
        digits *= 2;
        exponent--;
    }
    exponent += 63;
    if (exponent > largest) {
        __lakatos_errno_value = 34; // ERANGE
        return infinity;
    }
    is_tiny = exponent < least;
    if (exponent < least - precision - 1)
        exponent = least - precision - 1;
    if (is_tiny) {
        // As on x86, what becomes a normal number if it is rounded to the full precision is none that is tiny.
        if (exponent == least - 1 && digits >= (unsigned long long) -1 << (drop - 1))
            is_tiny = 0;
        drop += (int) (least - exponent);
        exponent = least;
    }
    kept = drop > 63 ? 0 : digits >> drop;
    // What is dropped, as a fraction of 2 to the 64th.
    rest = drop > 64 ? 0 : drop == 64 ? digits : digits << (64 - drop);
    if (drop > 64)
        more = 1;
    half = (unsigned long long) 1 << 63;
    if (is_tiny && (rest != 0 || more)) {
        // Here glibc (2.36) loses digits now and then: it rounds down, or takes the number for exact.
        if (__lakatos_unknown_int())
            __lakatos_errno_value = 34; // ERANGE
        if (__lakatos_unknown_int())
            rest = 0;
    }
    if (rest > half || (rest == half && (more || kept % 2 == 1)))
        kept++;
    kept += (unsigned long long) (exponent - least) << (precision - 1);
    if (kept >= infinity)
        __lakatos_errno_value = 34; // ERANGE
    return kept;
}

// The double with these bits.
static double __lakatos_double_of_bits(unsigned long long bits)
{
    union { unsigned long long bits; double number; } both;
    both.bits = bits;
    return both.number;
}

// The float with these bits.
static float __lakatos_float_of_bits(unsigned int bits)
{
    union { unsigned int bits; float number; } both;
    both.bits = bits;
    return both.number;
}

// Zeros at the end go back to the digits as long as there is room.
static void __lakatos_fill_digits(
    struct __lakatos_float_text *number)
{
    while (number->exponent > 0 && number->digits <= 1844674407370955161) {
        number->digits *= 10;
        number->exponent--;
    }
}

// How many digits a number has before the decimal point, or minus the number of zeros behind it: it is less
// than 10 to that power, and at least 10 to the power before.
static long long __lakatos_magnitude(
    const struct __lakatos_float_text *number)
{
    unsigned long long digits = number->digits;
    long long magnitude = number->exponent;
    while (digits != 0) {
        digits /= 10;
        magnitude++;
    }
    return magnitude;
}

// 10 to a power up to 22, which a double holds exactly.
static double __lakatos_power_of_ten(long long exponent)
{
    double power = 1.0;
    while (exponent > 0) {
        power *= 10.0;
        exponent--;
    }
    return power;
}

// A number between 1e-22 and 1e42 from few decimal digits, rounded once; the quotient or product of numbers that
// are exact. For digits up to 2 to the 53rd and an exponent from -22 to 22.
static double __lakatos_scale(unsigned long long digits, long long exponent)
{
    double number = (double) digits;
    if (exponent < 0)
        return number / __lakatos_power_of_ten(-exponent);
    return number * __lakatos_power_of_ten(exponent);
}

// A decimal number that is not 0, without sign: the value of which only bounds are known.
static double __lakatos_some_double(
    const struct __lakatos_float_text *number)
{
    extern double __lakatos_unknown_double(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    long long magnitude = __lakatos_magnitude(number);
    double result = __lakatos_unknown_double();
    if (magnitude > 309 || magnitude < -323) {
        __lakatos_errno_value = 34; // ERANGE
        return magnitude < 0 ? 0.0 : __lakatos_double_of_bits(0x7ff0000000000000);
    }
    if (magnitude == 309) {
        __lakatos_assume(result >= 1e308);
        if (result > 1.7976931348623157e308)
            __lakatos_errno_value = 34; // ERANGE
    } else if (magnitude < -306) {
        // Less than 1e-307.
        __lakatos_assume(result >= 0.0 && result <= 1e-307);
        if (result < 2.2250738585072019e-308 && __lakatos_unknown_int())
            __lakatos_errno_value = 34; // ERANGE
    } else if (number->exponent >= -22 && number->exponent <= 22) {
        // The digits are rounded, and so is what comes of them.
        double close = __lakatos_scale(number->digits, number->exponent);
        __lakatos_assume(result >= close * 0.999999999999999 && result <= close * 1.000000000000001);
    } else if (magnitude > 0) {
        __lakatos_assume(result >= 1.0 && result <= 1e308);
    } else {
        __lakatos_assume(result >= 1e-307 && result <= 1.0);
    }
    return result;
}

// The number that a text stands for, without its sign.
static double __lakatos_double_of_text(
    struct __lakatos_float_text *number)
{
    if (number->base == -1)
        return __lakatos_double_of_bits(0x7ff8000000000000);
    if (number->base == 1)
        return __lakatos_double_of_bits(0x7ff0000000000000);
    if (number->base == 0 || number->digits == 0)
        return 0.0;
    if (number->base == 2)
        return __lakatos_double_of_bits(__lakatos_round_binary(number->digits, number->more,
            number->exponent, 53, 1023));
    if (!number->more) {
        __lakatos_fill_digits(number);
        if (number->exponent == 0)
            return (double) number->digits;
        if (number->digits <= 9007199254740992 && number->exponent >= -22 && number->exponent <= 22)
            return __lakatos_scale(number->digits, number->exponent);
    }
    return __lakatos_some_double(number);
}

// strtod: C11 7.22.1.3.
static double __lakatos_strtod(const char *text, char **end)
{
    struct __lakatos_float_text number;
    const char *behind = __lakatos_read_float_text(text, &number);
    double result = __lakatos_double_of_text(&number);
    if (end != 0)
        *end = (char *) behind;
    if (number.base == -1)
        return __lakatos_some_nan(result);
    return number.base != 0 && number.negative ? -result : result;
}

// strtod_l: glibc; every locale is the C locale.
static double __lakatos_strtod_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtod(text, end);
}

// __strtod_l: glibc's other name for strtod_l.
static double __lakatos___strtod_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtod(text, end);
}

// __strtod_internal: glibc's old macros; there is no grouping in the C locale.
static double __lakatos___strtod_internal(const char *text, char **end, int group)
{
    (void) group;
    return __lakatos_strtod(text, end);
}

// atof: C11 7.22.1.1. A number beyond the type is undefined in C11; glibc gives what strtod gives.
static double __lakatos_atof(const char *text)
{
    return __lakatos_strtod(text, 0);
}

// A decimal number that is not 0, without sign: the value of which only bounds are known.
static float __lakatos_some_float(
    const struct __lakatos_float_text *number)
{
    extern float __lakatos_unknown_float(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    long long magnitude = __lakatos_magnitude(number);
    float result = __lakatos_unknown_float();
    if (magnitude > 39 || magnitude < -45) {
        __lakatos_errno_value = 34; // ERANGE
        return magnitude < 0 ? 0.0f : __lakatos_float_of_bits(0x7f800000);
    }
    if (magnitude == 39) {
        __lakatos_assume(result >= 1e38f);
        if (result > 3.40282347e38f)
            __lakatos_errno_value = 34; // ERANGE
    } else if (magnitude < -36) {
        // Less than 1e-37.
        __lakatos_assume(result >= 0.0f && result <= 1e-37f);
        if (result <= 1.17549435e-38f && __lakatos_unknown_int())
            __lakatos_errno_value = 34; // ERANGE
    } else if (number->exponent >= -22 && number->exponent <= 22) {
        double close = __lakatos_scale(number->digits, number->exponent);
        __lakatos_assume(result >= close * 0.9999999 && result <= close * 1.0000001);
    } else if (magnitude > 0) {
        __lakatos_assume(result >= 1.0f && result <= 1e38f);
    } else {
        __lakatos_assume(result >= 1e-37f && result <= 1.0f);
    }
    return result;
}

// The number that a text stands for, without its sign.
static float __lakatos_float_of_text(
    struct __lakatos_float_text *number)
{
    if (number->base == -1)
        return __lakatos_float_of_bits(0x7fc00000);
    if (number->base == 1)
        return __lakatos_float_of_bits(0x7f800000);
    if (number->base == 0 || number->digits == 0)
        return 0.0f;
    if (number->base == 2)
        return __lakatos_float_of_bits((unsigned int) __lakatos_round_binary(number->digits,
            number->more, number->exponent, 24, 127));
    if (!number->more) {
        __lakatos_fill_digits(number);
        if (number->exponent == 0)
            return (float) number->digits;
        if (number->digits <= 9007199254740992 && number->exponent >= -22 && number->exponent <= 22) {
            // Rounded to a double first: that is right unless the double is half-way between two floats.
            union { unsigned long long bits; double number; } both;
            both.number = __lakatos_scale(number->digits, number->exponent);
            if ((both.bits & 0x1fffffff) != 0x10000000)
                return (float) both.number;
        }
    }
    return __lakatos_some_float(number);
}

// strtof: C11 7.22.1.3.
static float __lakatos_strtof(const char *text, char **end)
{
    struct __lakatos_float_text number;
    const char *behind = __lakatos_read_float_text(text, &number);
    float result = __lakatos_float_of_text(&number);
    if (end != 0)
        *end = (char *) behind;
    if (number.base == -1)
        return (float) __lakatos_some_nan(result);
    return number.base != 0 && number.negative ? -result : result;
}

// strtof_l: glibc; every locale is the C locale.
static float __lakatos_strtof_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtof(text, end);
}

// __strtof_l: glibc's other name for strtof_l.
static float __lakatos___strtof_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtof(text, end);
}

// __strtof_internal: glibc's old macros; there is no grouping in the C locale.
static float __lakatos___strtof_internal(const char *text, char **end, int group)
{
    (void) group;
    return __lakatos_strtof(text, end);
}

// The number that a text stands for, without its sign. It is exact where it is whole and has at most 64 bits,
// and where a double holds the hexadecimal form.
static long double __lakatos_long_double_of_text(
    struct __lakatos_float_text *number)
{
    extern long double __lakatos_unknown_long_double(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    long long magnitude;
    long double result;
    if (number->base == -1)
        return __lakatos_double_of_bits(0x7ff8000000000000);
    if (number->base == 1)
        return __lakatos_double_of_bits(0x7ff0000000000000);
    if (number->base == 0 || number->digits == 0)
        return 0.0L;
    if (number->base == 2 && !number->more && number->digits <= 9007199254740992
        && number->exponent >= -1022 && number->exponent <= 960)
        return __lakatos_double_of_bits(__lakatos_round_binary(number->digits, 0, number->exponent,
            53, 1023));
    if (number->base == 10 && !number->more) {
        __lakatos_fill_digits(number);
        if (number->exponent == 0)
            return (long double) number->digits;
    }
    // Where the range of a long double ends is nearer than here.
    result = __lakatos_unknown_long_double();
    __lakatos_assume(result >= 0.0L);
    magnitude = number->base == 10 ? __lakatos_magnitude(number) : 0;
    if (number->base == 10 && magnitude > -4930 && magnitude < 4932) {
        if (magnitude > 0)
            __lakatos_assume(result >= 1.0L);
        else
            __lakatos_assume(result > 0.0L && result <= 1.0L);
        __lakatos_assume(result - result == 0.0L);
    } else if (number->base == 10 || number->exponent > 16000 || number->exponent < -16000) {
        if (__lakatos_unknown_int())
            __lakatos_errno_value = 34; // ERANGE
    } else {
        __lakatos_assume(result > 0.0L && result - result == 0.0L);
    }
    return result;
}

// strtold: C11 7.22.1.3.
static long double __lakatos_strtold(const char *text, char **end)
{
    struct __lakatos_float_text number;
    const char *behind = __lakatos_read_float_text(text, &number);
    long double result = __lakatos_long_double_of_text(&number);
    if (end != 0)
        *end = (char *) behind;
    return number.base != 0 && number.negative ? -result : result;
}

// strtold_l: glibc; every locale is the C locale.
static long double __lakatos_strtold_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtold(text, end);
}

// __strtold_l: glibc's other name for strtold_l.
static long double __lakatos___strtold_l(const char *text, char **end, void *locale)
{
    (void) locale;
    return __lakatos_strtold(text, end);
}

// __strtold_internal: glibc's old macros; there is no grouping in the C locale.
static long double __lakatos___strtold_internal(const char *text, char **end, int group)
{
    (void) group;
    return __lakatos_strtold(text, end);
}
