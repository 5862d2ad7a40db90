// Models of <math.h> (C11 7.12), functions of double. What IEEE 754 fixes is computed exactly, rounded to the nearest number.
// Of the other functions the special cases of C11 Annex F hold, and bounds that leave room for errors of
// rounding. Of a NaN only that it is one is kept: which of its bits a result has is open. A signalling
// NaN is taken for a quiet one (C11 F.2.1). Errors set errno as in glibc: EDOM is 33, ERANGE is 34.

// A NaN of either sign.
static double __lakatos_some_nan(double nan)
{
    extern int __lakatos_unknown_int(void);
    return __lakatos_unknown_int() ? nan : -nan;
}

// A NaN of either sign that does not come from an operand.
static double __lakatos_ieee_nan(void)
{
    return __lakatos_some_nan(__builtin_nan(""));
}

// What a domain error gives: a NaN, and errno is EDOM.
static double __lakatos_ieee_domain_error(void)
{
    __lakatos_errno_value = 33; // EDOM
    return __lakatos_ieee_nan();
}

// errno where it is not known whether there is an error.
static void __lakatos_ieee_maybe_error(int reason)
{
    extern int __lakatos_unknown_int(void);
    if (__lakatos_unknown_int())
        __lakatos_errno_value = reason;
}

// A number between these two, which may be infinite. Overflow and underflow may set errno.
static double __lakatos_ieee_between(double low, double high)
{
    extern double __lakatos_unknown_double(void);
    extern void __lakatos_assume(int);
    double number = __lakatos_unknown_double();
    __lakatos_assume(number >= low && number <= high);
    __lakatos_ieee_maybe_error(34); // ERANGE
    return number;
}

// The bits of a number.
static unsigned long long __lakatos_ieee_bits(double number)
{
    union { double number; unsigned long long bits; } view;
    view.number = number;
    return view.bits;
}

// The number with these bits.
static double __lakatos_ieee_double(unsigned long long bits)
{
    union { double number; unsigned long long bits; } view;
    view.bits = bits;
    return view.number;
}

// 1 for a negative number and for the negative zero, else 0. That of a NaN is open.
static int __lakatos_ieee_sign(double number)
{
    extern int __lakatos_unknown_int(void);
    if (number != number)
        return __lakatos_unknown_int() != 0;
    return (int) (__lakatos_ieee_bits(number) >> 63);
}

// A finite number is its fraction times a power of 2, but for its sign.
static unsigned long long __lakatos_ieee_fraction(double number)
{
    unsigned long long bits = __lakatos_ieee_bits(number);
    unsigned long long fraction = bits & 0xfffffffffffffULL;
    return (bits & 0x7ff0000000000000ULL) != 0 ? fraction | 0x10000000000000ULL : fraction;
}

// The power of 2 that goes with the fraction.
static int __lakatos_ieee_exponent(double number)
{
    int exponent = (int) (__lakatos_ieee_bits(number) >> 52 & 0x7ff);
    return (exponent != 0 ? exponent : 1) - 1075;
}

// A fraction without its last bits, at least one, to the nearest number; of two the even one.
static unsigned long long __lakatos_ieee_shift(unsigned long long fraction, int shift)
{
    unsigned long long half, rest, whole;
    if (shift > 64)
        return 0;
    half = 1ULL << (shift - 1);
    whole = shift == 64 ? 0 : fraction >> shift;
    rest = fraction & (half | (half - 1));
    return rest > half || (rest == half && (whole & 1) != 0) ? whole + 1 : whole;
}

// The double that is nearest to a fraction times a power of 2; of two the even one. The last number is
// a multiple of 2 to the -1074th.
static double __lakatos_ieee_round(int negative, unsigned long long fraction, int exponent)
{
    unsigned long long bits = 0;
    int shift;
    if (fraction != 0) {
        shift = __builtin_clzll(fraction);
        fraction <<= shift;
        exponent -= shift;
        shift = exponent < -1085 ? -1074 - exponent : 11;
        exponent += shift;
        if (exponent > 971)
            bits = 0x7ff0000000000000ULL;
        else
            bits = ((unsigned long long) (exponent + 1074) << 52) + __lakatos_ieee_shift(fraction, shift);
    }
    return __lakatos_ieee_double(bits | (unsigned long long) negative << 63);
}

// fabs: C11 7.12.7.2.
static double __lakatos_fabs(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 0.0;
    return number < 0 ? -number : number;
}

// trunc: C11 7.12.9.8. From 2 to the 52nd on, every number is whole.
static double __lakatos_trunc(double number)
{
    double whole;
    if (!(number > -4503599627370496.0 && number < 4503599627370496.0))
        return number;
    whole = (double) (long long) number;
    // The sign of a zero is that of the number.
    return whole == 0 ? number * 0.0 : whole;
}

// floor: C11 7.12.9.2.
static double __lakatos_floor(double number)
{
    double whole = __lakatos_trunc(number);
    return whole > number ? whole - 1.0 : whole;
}

// round: C11 7.12.9.6. Halves go away from 0.
static double __lakatos_round(double number)
{
    double whole = __lakatos_trunc(number);
    if (number - whole >= 0.5)
        return whole + 1.0;
    return number - whole <= -0.5 ? whole - 1.0 : whole;
}

// rint: C11 7.12.9.4. Rounds to the nearest number; halves go to the even one.
static double __lakatos_rint(double number)
{
    double whole = __lakatos_trunc(number);
    double rest = number - whole;
    int odd = (rest == 0.5 || rest == -0.5) && ((long long) whole & 1) != 0;
    if (rest > 0.5 || (odd && rest > 0))
        return whole + 1.0;
    return rest < -0.5 || (odd && rest < 0) ? whole - 1.0 : whole;
}

// nearbyint: C11 7.12.9.3.
static double __lakatos_nearbyint(double number)
{
    return __lakatos_rint(number);
}

// roundeven: C23 7.12.9.8.
static double __lakatos_roundeven(double number)
{
    return __lakatos_rint(number);
}

// What a conversion to an integer type gives that cannot hold the number (C11 7.12.9.5p2, 7.12.9.7p2).
static long long __lakatos_ieee_beyond(void)
{
    extern long long __lakatos_unknown_longlong(void);
    __lakatos_ieee_maybe_error(33); // EDOM
    __lakatos_ieee_maybe_error(34); // ERANGE
    return __lakatos_unknown_longlong();
}

// The whole number as a long.
static long __lakatos_ieee_long(double whole)
{
    double limit = (double) ((unsigned long) -1 / 2 + 1);
    if (whole >= -limit && whole < limit)
        return (long) whole;
    return (long) __lakatos_ieee_beyond();
}

// The whole number as a long long.
static long long __lakatos_ieee_longlong(double whole)
{
    if (whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
        return (long long) whole;
    return __lakatos_ieee_beyond();
}

// lrint: C11 7.12.9.5.
static long __lakatos_lrint(double number)
{
    return __lakatos_ieee_long(__lakatos_rint(number));
}

// llrint: C11 7.12.9.5.
static long long __lakatos_llrint(double number)
{
    return __lakatos_ieee_longlong(__lakatos_rint(number));
}

// lround: C11 7.12.9.7.
static long __lakatos_lround(double number)
{
    return __lakatos_ieee_long(__lakatos_round(number));
}

// llround: C11 7.12.9.7.
static long long __lakatos_llround(double number)
{
    return __lakatos_ieee_longlong(__lakatos_round(number));
}

// fmax: C11 7.12.12.2. Of two zeros either, and a number rather than a NaN.
static double __lakatos_fmax(double left, double right)
{
    extern int __lakatos_unknown_int(void);
    if (left != left)
        return right;
    if (right != right)
        return left;
    if (left == right && __lakatos_ieee_bits(left) != __lakatos_ieee_bits(right))
        return __lakatos_unknown_int() ? left : right;
    return left > right ? left : right;
}

// fmin: C11 7.12.12.3. Of two zeros either, and a number rather than a NaN.
static double __lakatos_fmin(double left, double right)
{
    extern int __lakatos_unknown_int(void);
    if (left != left)
        return right;
    if (right != right)
        return left;
    if (left == right && __lakatos_ieee_bits(left) != __lakatos_ieee_bits(right))
        return __lakatos_unknown_int() ? left : right;
    return left < right ? left : right;
}

// fdim: C11 7.12.12.1.
static double __lakatos_fdim(double left, double right)
{
    double difference;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (left <= right)
        return 0.0;
    difference = left - right;
    if (__lakatos___isinf(difference) && !__lakatos___isinf(left) && !__lakatos___isinf(right))
        __lakatos_errno_value = 34; // ERANGE
    return difference;
}

// copysign: C11 7.12.11.1. The sign of a NaN is open.
static double __lakatos_copysign(double size, double sign)
{
    double positive = __lakatos_fabs(size);
    if (size != size)
        return positive;
    return __lakatos_ieee_sign(sign) ? -positive : positive;
}

// nan: C11 7.12.11.2. Any NaN.
static double __lakatos_nan(const char *tag)
{
    while (*tag != 0)
        tag++;
    return __lakatos_ieee_nan();
}

// nextafter: C11 7.12.11.3. A subnormal or infinite result is a range error.
static double __lakatos_nextafter(double number, double target)
{
    unsigned long long bits;
    if (number != number || target != target)
        return __lakatos_ieee_nan();
    if (number == target)
        return target;
    if (number == 0)
        bits = target < 0 ? 0x8000000000000001ULL : 1;
    else if ((number < target) == (number > 0))
        bits = __lakatos_ieee_bits(number) + 1;
    else
        bits = __lakatos_ieee_bits(number) - 1;
    if (number == 0)
        __lakatos_ieee_maybe_error(34); // glibc does not set ERANGE here.
    else if ((bits & 0x7ff0000000000000ULL) == 0 || (bits & 0x7ff0000000000000ULL) == 0x7ff0000000000000ULL)
        __lakatos_errno_value = 34; // ERANGE
    return __lakatos_ieee_double(bits);
}

// frexp: C11 7.12.6.4. What it stores for a NaN or an infinity is open.
static double __lakatos_frexp(double number, int *exponent)
{
    extern int __lakatos_unknown_int(void);
    unsigned long long fraction;
    int digits;
    if (!__lakatos___finite(number)) {
        *exponent = __lakatos_unknown_int();
        return number != number ? __lakatos_some_nan(number) : number;
    }
    *exponent = 0;
    if (number == 0)
        return number;
    fraction = __lakatos_ieee_fraction(number);
    digits = 64 - __builtin_clzll(fraction);
    *exponent = __lakatos_ieee_exponent(number) + digits;
    return __lakatos_ieee_round(number < 0, fraction, -digits);
}

// scalbln: C11 7.12.6.13. A result that is 0 or infinite is a range error.
static double __lakatos_scalbln(double number, long exponent)
{
    double result;
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number))
        return number;
    // No number is so large or so small that more would make a difference.
    exponent = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
    result = __lakatos_ieee_round(number < 0, __lakatos_ieee_fraction(number),
        __lakatos_ieee_exponent(number) + (int) exponent);
    if (result == 0 || __lakatos___isinf(result))
        __lakatos_errno_value = 34; // ERANGE
    return result;
}

// scalbn: C11 7.12.6.13.
static double __lakatos_scalbn(double number, int exponent)
{
    return __lakatos_scalbln(number, exponent);
}

// ldexp: C11 7.12.6.6.
static double __lakatos_ldexp(double number, int exponent)
{
    return __lakatos_scalbln(number, exponent);
}

// modf: C11 7.12.6.12.
static double __lakatos_modf(double number, double *whole)
{
    double fraction;
    if (number != number) {
        *whole = __lakatos_some_nan(number);
        return __lakatos_some_nan(number);
    }
    *whole = __lakatos_trunc(number);
    fraction = __lakatos___isinf(number) ? 0.0 : number - *whole;
    // The sign of a zero is that of the number.
    return fraction == 0 && __lakatos_ieee_sign(number) ? -0.0 : fraction;
}

// logb: C11 7.12.6.11. glibc does not always set errno for 0.
static double __lakatos_logb(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (__lakatos___isinf(number))
        return __builtin_inf();
    if (number == 0) {
        __lakatos_ieee_maybe_error(34); // ERANGE
        return -__builtin_inf();
    }
    return (double) __lakatos_ilogb(number);
}

// ilogb: C11 7.12.6.5.
static int __lakatos_ilogb(double number)
{
    if (number == 0 || !__lakatos___finite(number)) {
        __lakatos_errno_value = 33; // EDOM
        return __lakatos___isinf(number) ? 2147483647 : -2147483647 - 1;
    }
    return __lakatos_ieee_exponent(number) + 63 - __builtin_clzll(__lakatos_ieee_fraction(number));
}

// significand: glibc: the number without its power of 2. What it does not take may be a domain error.
static double __lakatos_significand(double number)
{
    int exponent;
    if (number == 0 || !__lakatos___finite(number)) {
        __lakatos_ieee_maybe_error(33); // EDOM
        return number != number ? __lakatos_some_nan(number) : number;
    }
    return __lakatos_frexp(number, &exponent) * 2.0;
}

// The remainder of a division without signs, rounded towards 0, of finite numbers, the divisor not 0.
// Of the quotient the last bits are stored.
static double __lakatos_ieee_remainder(double left, double right, unsigned int *quotient)
{
    unsigned long long rest = __lakatos_ieee_fraction(left);
    unsigned long long divisor = __lakatos_ieee_fraction(right);
    int shift = __lakatos_ieee_exponent(left) - __lakatos_ieee_exponent(right);
    int step = 0;
    *quotient = 0;
    if (shift < 0)
        return __lakatos_fabs(left);
    while (1) {
        *quotient = *quotient << step | (unsigned int) (rest / divisor);
        rest %= divisor;
        if (shift == 0)
            return __lakatos_ieee_round(0, rest, __lakatos_ieee_exponent(right));
        // The rest has at most 53 bits.
        step = shift < 11 ? shift : 11;
        rest <<= step;
        shift -= step;
    }
}

// The remainder of a division, rounded to the nearest number, of finite numbers, the divisor not 0.
static double __lakatos_ieee_nearest(double left, double right, unsigned int *quotient)
{
    double divisor = __lakatos_fabs(right);
    double rest = __lakatos_ieee_remainder(left, right, quotient);
    // What is infinite here is larger than the divisor.
    double twice = rest + rest;
    if (twice > divisor || (twice == divisor && (*quotient & 1) != 0)) {
        rest -= divisor;
        *quotient += 1;
    }
    return __lakatos_ieee_sign(left) ? -rest : rest;
}

// fmod: C11 7.12.10.1.
static double __lakatos_fmod(double left, double right)
{
    unsigned int quotient;
    double rest;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (__lakatos___isinf(left) || right == 0)
        return __lakatos_ieee_domain_error();
    if (__lakatos___isinf(right))
        return left;
    rest = __lakatos_ieee_remainder(left, right, &quotient);
    return __lakatos_ieee_sign(left) ? -rest : rest;
}

// remainder: C11 7.12.10.2. A zero has the sign of the dividend, which glibc loses for small divisors.
static double __lakatos_remainder(double left, double right)
{
    extern int __lakatos_unknown_int(void);
    unsigned int quotient;
    double rest;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (__lakatos___isinf(left) || right == 0)
        return __lakatos_ieee_domain_error();
    if (__lakatos___isinf(right))
        return left;
    rest = __lakatos_ieee_nearest(left, right, &quotient);
    if (rest == 0 && left != 0 && __lakatos_fabs(right) < 1.0e-290 && __lakatos_unknown_int())
        return -rest;
    return rest;
}

// remquo: C11 7.12.10.3. Of a quotient above 7 only
// the last three bits are known. For an error it stores anything.
static double __lakatos_remquo(double left, double right, int *quotient)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    unsigned int low = 0;
    double rest;
    int size;
    if (left != left || right != right || __lakatos___isinf(left) || right == 0) {
        if (left == left && right == right)
            __lakatos_ieee_maybe_error(33); // EDOM
        *quotient = __lakatos_unknown_int();
        return __lakatos_ieee_nan();
    }
    rest = __lakatos___isinf(right) ? left : __lakatos_ieee_nearest(left, right, &low);
    size = (int) low;
    if (__lakatos_fabs(left) / __lakatos_fabs(right) > 7.0) {
        size = __lakatos_unknown_int();
        __lakatos_assume(size >= 0 && size % 8 == (int) (low % 8));
    }
    *quotient = __lakatos_ieee_sign(left) != __lakatos_ieee_sign(right) ? -size : size;
    return rest;
}

// sqrt: C11 7.12.7.5. Digit by digit, one more than a number has; the rest decides how to round.
static double __lakatos_sqrt(double number)
{
    unsigned long long radicand, rest = 0, root = 0;
    int digit, exponent, shift;
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number) == 1)
        return number;
    if (number < 0)
        return __lakatos_ieee_domain_error();
    radicand = __lakatos_ieee_fraction(number);
    shift = __builtin_clzll(radicand);
    radicand <<= shift;
    exponent = __lakatos_ieee_exponent(number) - shift;
    if ((exponent & 1) != 0) {
        radicand >>= 1;
        exponent++;
    }
    for (digit = 0; digit < 54; digit++) {
        rest = rest << 2 | radicand >> 62;
        radicand <<= 2;
        root <<= 1;
        if (rest > root << 1) {
            rest -= root << 1 | 1;
            root |= 1;
        }
    }
    return __lakatos_ieee_round(0, root << 1 | (rest != 0), (exponent - 46) / 2);
}

// A number of 128 bits without its last bits; if one of them is not 0 the last that remains is not.
static void __lakatos_ieee_shift_both(unsigned long long *high, unsigned long long *low, int shift)
{
    unsigned long long lost = 0;
    if (shift > 127)
        shift = 127;
    if (shift >= 64) {
        lost = *low;
        *low = *high;
        *high = 0;
        shift -= 64;
    }
    if (shift > 0) {
        lost |= *low << (64 - shift);
        *low = *low >> shift | *high << (64 - shift);
        *high >>= shift;
    }
    if (lost != 0)
        *low |= 1;
}

// The fraction of left times right plus addend, all finite and not 0. Its last bit is not 0 if any bit
// behind it is not.
static unsigned long long __lakatos_ieee_fma(double left, double right, double addend,
    int *negative, int *exponent)
{
    unsigned long long first = __lakatos_ieee_fraction(left);
    unsigned long long second = __lakatos_ieee_fraction(right);
    unsigned long long high, low, middle, other_high, other_low = 0;
    int other_negative = addend < 0;
    int shift;
    *negative = (left < 0) != (right < 0);
    // 63 bits times 63 bits are at most 126 bits.
    shift = __builtin_clzll(first) - 1;
    *exponent = __lakatos_ieee_exponent(left) - shift;
    first <<= shift;
    shift = __builtin_clzll(second) - 1;
    *exponent += __lakatos_ieee_exponent(right) - shift;
    second <<= shift;
    low = (first & 0xffffffffU) * (second & 0xffffffffU);
    high = (first >> 32) * (second >> 32);
    middle = (first >> 32) * (second & 0xffffffffU);
    high += middle >> 32;
    middle = (middle & 0xffffffffU) + (first & 0xffffffffU) * (second >> 32) + (low >> 32);
    high += middle >> 32;
    low = (low & 0xffffffffU) | middle << 32;
    // The addend has as many, and the end of the smaller one is cut off.
    other_high = __lakatos_ieee_fraction(addend);
    shift = __builtin_clzll(other_high) - 2;
    other_high <<= shift;
    shift = *exponent - (__lakatos_ieee_exponent(addend) - shift - 64);
    if (shift < 0) {
        __lakatos_ieee_shift_both(&high, &low, -shift);
        *exponent -= shift;
    } else {
        __lakatos_ieee_shift_both(&other_high, &other_low, shift);
    }
    if (*negative == other_negative) {
        low += other_low;
        high += other_high + (low < other_low);
    } else if (high > other_high || (high == other_high && low >= other_low)) {
        high -= other_high + (low < other_low);
        low -= other_low;
    } else {
        *negative = other_negative;
        high = other_high - high - (other_low < low);
        low = other_low - low;
    }
    if (high == 0)
        return low;
    shift = __builtin_clzll(high);
    if (shift > 0)
        high = high << shift | low >> (64 - shift);
    *exponent += 64 - shift;
    return high | (low << shift != 0);
}

// fma: C11 7.12.13.1.
static double __lakatos_fma(double left, double right, double addend)
{
    unsigned long long fraction;
    int exponent, negative;
    double result;
    if (left != left || right != right || addend != addend)
        return __lakatos_ieee_nan();
    if (!__lakatos___finite(left) || !__lakatos___finite(right) || left == 0 || right == 0) {
        result = left * right + addend;
        return result != result ? __lakatos_ieee_nan() : result;
    }
    if (__lakatos___isinf(addend))
        return addend;
    if (addend == 0) {
        result = left * right;
    } else {
        fraction = __lakatos_ieee_fma(left, right, addend, &negative, &exponent);
        result = fraction == 0 ? 0.0 : __lakatos_ieee_round(negative, fraction, exponent);
    }
    // glibc does not set errno, C allows it.
    if (__lakatos___isinf(result))
        __lakatos_ieee_maybe_error(34); // ERANGE
    return result;
}

// drem: glibc's other name for remainder.
static double __lakatos_drem(double left, double right)
{
    return __lakatos_remainder(left, right);
}

// __isnan: what glibc calls for isnan.
static int __lakatos___isnan(double number)
{
    return number != number;
}

// __isinf: what glibc calls for isinf: 1, or -1 for minus infinity.
static int __lakatos___isinf(double number)
{
    if (number > 1.7976931348623157e308)
        return 1;
    return number < -1.7976931348623157e308 ? -1 : 0;
}

// __finite: what glibc calls for isfinite.
static int __lakatos___finite(double number)
{
    return number >= -1.7976931348623157e308 && number <= 1.7976931348623157e308;
}

// __signbit: what glibc calls for signbit. Any number that is not 0 for a negative one.
static int __lakatos___signbit(double number)
{
    return __lakatos_ieee_sign(number) ? __lakatos_some_number() : 0;
}

// Any number but 0.
static int __lakatos_some_number(void)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int number = __lakatos_unknown_int();
    __lakatos_assume(number != 0);
    return number;
}

// __fpclassify: what glibc calls for fpclassify: 0 is a NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal.
static int __lakatos___fpclassify(double number)
{
    if (number != number)
        return 0;
    if (__lakatos___isinf(number))
        return 1;
    if (number == 0)
        return 2;
    return number > -2.2250738585072014e-308 && number < 2.2250738585072014e-308 ? 3 : 4;
}

// isnan: C11 7.12.3.4, where it is no macro.
static int __lakatos_isnan(double number)
{
    return __lakatos___isnan(number);
}

// isinf: C11 7.12.3.3, where it is no macro. For minus infinity glibc gives -1, but GCC's own is 1.
static int __lakatos_isinf(double number)
{
    extern int __lakatos_unknown_int(void);
    int kind = __lakatos___isinf(number);
    return kind < 0 && __lakatos_unknown_int() ? 1 : kind;
}

// finite: glibc (BSD).
static int __lakatos_finite(double number)
{
    return __lakatos___finite(number);
}

// __fpclassify_as: what the front-end calls for GCC's built-in function of a float or double. What a
// float can hold and is subnormal there may be either.
static int __lakatos___fpclassify_as(int nan, int infinite, int normal, int subnormal, int zero,
    double number)
{
    int kind = __lakatos___fpclassify(number);
    if (kind == 4)
        return __lakatos___isnormal(number) ? normal : subnormal;
    return kind == 0 ? nan : kind == 1 ? infinite : kind == 2 ? zero : subnormal;
}

// __isunordered: what the front-end calls for GCC's built-in function.
static int __lakatos___isunordered(double left, double right)
{
    return left != left || right != right;
}

// __islessgreater: what the front-end calls for GCC's built-in function.
static int __lakatos___islessgreater(double left, double right)
{
    return left < right || left > right;
}

// The power where C11 F.10.4.4 fixes it for an operand that is 0 or infinite, but for its sign.
static double __lakatos_ieee_power(double size, double exponent)
{
    if (__lakatos___isinf(exponent)) {
        if (size == 1.0)
            return 1.0;
        return (size > 1.0) == (exponent > 0) ? __builtin_inf() : 0.0;
    }
    if (size == 0 && exponent < 0)
        __lakatos_ieee_maybe_error(34); // ERANGE
    return (size == 0) == (exponent > 0) ? 0.0 : __builtin_inf();
}

// nextup: C23 7.12.11.5. It leaves errno as it is.
static double __lakatos_nextup(double number)
{
    int before = __lakatos_errno_value;
    double next = __lakatos_nextafter(number, __builtin_inf());
    __lakatos_errno_value = before;
    return next;
}

// nextdown: C23 7.12.11.6. It leaves errno as it is.
static double __lakatos_nextdown(double number)
{
    int before = __lakatos_errno_value;
    double next = __lakatos_nextafter(number, -__builtin_inf());
    __lakatos_errno_value = before;
    return next;
}

// llogb: C23 7.12.6.10. As ilogb, with the numbers of a long for 0, infinity and NaN.
static long __lakatos_llogb(double number)
{
    int exponent = __lakatos_ilogb(number);
    long largest = (long) ((unsigned long) -1 >> 1);
    if (number != number || number == 0)
        return -largest - 1;
    return __lakatos___isinf(number) ? largest : exponent;
}
