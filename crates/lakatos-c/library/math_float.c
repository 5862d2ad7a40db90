// Models of <math.h> (C11 7.12), functions of float: as those of double in math.c.

// The bits of a number.
static unsigned int __lakatos_ieee_bitsf(float number)
{
    union { float number; unsigned int bits; } view;
    view.number = number;
    return view.bits;
}

// The number with these bits.
static float __lakatos_ieee_float(unsigned int bits)
{
    union { float number; unsigned int bits; } view;
    view.bits = bits;
    return view.number;
}

// The float that is nearest to a fraction times a power of 2; of two the even one.
static float __lakatos_ieee_roundf(int negative, unsigned long long fraction, int exponent)
{
    unsigned int bits = 0;
    int shift;
    if (fraction != 0) {
        shift = __builtin_clzll(fraction);
        fraction <<= shift;
        exponent -= shift;
        shift = exponent < -189 ? -149 - exponent : 40;
        exponent += shift;
        bits = (unsigned int) __lakatos_ieee_shift(fraction, shift);
        if (exponent > 104)
            bits = 0x7f800000U;
        else
            bits += (unsigned int) (exponent + 149) << 23;
    }
    return __lakatos_ieee_float(bits | (unsigned int) negative << 31);
}

// fabsf: C11 7.12.7.2.
static float __lakatos_fabsf(float number)
{
    return (float) __lakatos_fabs(number);
}

// lrintf: C11 7.12.9.5.
static long __lakatos_lrintf(float number)
{
    return __lakatos_ieee_long(__lakatos_rint(number));
}

// llrintf: C11 7.12.9.5.
static long long __lakatos_llrintf(float number)
{
    return __lakatos_ieee_longlong(__lakatos_rint(number));
}

// lroundf: C11 7.12.9.7.
static long __lakatos_lroundf(float number)
{
    return __lakatos_ieee_long(__lakatos_round(number));
}

// llroundf: C11 7.12.9.7.
static long long __lakatos_llroundf(float number)
{
    return __lakatos_ieee_longlong(__lakatos_round(number));
}

// truncf: C11 7.12.9.8.
static float __lakatos_truncf(float number)
{
    return (float) __lakatos_trunc(number);
}

// floorf: C11 7.12.9.2.
static float __lakatos_floorf(float number)
{
    return (float) __lakatos_floor(number);
}

// ceilf: C11 7.12.9.1.
static float __lakatos_ceilf(float number)
{
    return (float) __lakatos_ceil(number);
}

// roundf: C11 7.12.9.6.
static float __lakatos_roundf(float number)
{
    return (float) __lakatos_round(number);
}

// rintf: C11 7.12.9.4.
static float __lakatos_rintf(float number)
{
    return (float) __lakatos_rint(number);
}

// nearbyintf: C11 7.12.9.3.
static float __lakatos_nearbyintf(float number)
{
    return (float) __lakatos_nearbyint(number);
}

// roundevenf: C23 7.12.9.8.
static float __lakatos_roundevenf(float number)
{
    return (float) __lakatos_roundeven(number);
}

// fdimf: C11 7.12.12.1.
static float __lakatos_fdimf(float left, float right)
{
    float difference;
    if (left != left || right != right)
        return (float) __lakatos_ieee_nan();
    if (left <= right)
        return 0.0f;
    difference = left - right;
    if (__lakatos___isinf(difference) && !__lakatos___isinf(left) && !__lakatos___isinf(right))
        __lakatos_errno_value = 34; // ERANGE
    return difference;
}

// nanf: C11 7.12.11.2. Any NaN.
static float __lakatos_nanf(const char *tag)
{
    return (float) __lakatos_nan(tag);
}

// nextafterf: C11 7.12.11.3. A subnormal or infinite result is a range error.
static float __lakatos_nextafterf(float number, float target)
{
    unsigned int bits;
    if (number != number || target != target)
        return (float) __lakatos_ieee_nan();
    if (number == target)
        return target;
    if (number == 0)
        bits = target < 0 ? 0x80000001U : 1;
    else if ((number < target) == (number > 0))
        bits = __lakatos_ieee_bitsf(number) + 1;
    else
        bits = __lakatos_ieee_bitsf(number) - 1;
    if (number == 0)
        __lakatos_ieee_maybe_error(34); // glibc does not set ERANGE here.
    else if ((bits & 0x7f800000U) == 0 || (bits & 0x7f800000U) == 0x7f800000U)
        __lakatos_errno_value = 34; // ERANGE
    return __lakatos_ieee_float(bits);
}

// frexpf: C11 7.12.6.4.
static float __lakatos_frexpf(float number, int *exponent)
{
    return (float) __lakatos_frexp(number, exponent);
}

// scalblnf: C11 7.12.6.13. A result that is 0 or infinite is a range error.
static float __lakatos_scalblnf(float number, long exponent)
{
    float result;
    if (number != number)
        return (float) __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number))
        return number;
    // No number is so large or so small that more would make a difference.
    exponent = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
    result = __lakatos_ieee_roundf(number < 0, __lakatos_ieee_fraction(number),
        __lakatos_ieee_exponent(number) + (int) exponent);
    if (result == 0 || __lakatos___isinf(result))
        __lakatos_errno_value = 34; // ERANGE
    return result;
}

// scalbnf: C11 7.12.6.13.
static float __lakatos_scalbnf(float number, int exponent)
{
    return __lakatos_scalblnf(number, exponent);
}

// ldexpf: C11 7.12.6.6.
static float __lakatos_ldexpf(float number, int exponent)
{
    return __lakatos_scalblnf(number, exponent);
}

// modff: C11 7.12.6.12.
static float __lakatos_modff(float number, float *whole)
{
    double integer;
    double fraction = __lakatos_modf(number, &integer);
    *whole = (float) integer;
    return (float) fraction;
}

// remquof: C11 7.12.10.3.
static float __lakatos_remquof(float left, float right, int *quotient)
{
    return (float) __lakatos_remquo(left, right, quotient);
}

// fmaf: C11 7.12.13.1. The product of two floats is a double.
static float __lakatos_fmaf(float left, float right, float addend)
{
    unsigned long long fraction;
    int exponent, negative;
    double product = (double) left * right;
    float result;
    if (left != left || right != right || addend != addend)
        return (float) __lakatos_ieee_nan();
    if (product == 0 || addend == 0 || !__lakatos___finite(product) || __lakatos___isinf(addend)) {
        // -0 plus 0 is 0, and a product that is a zero only as a float keeps its sign.
        product = product == 0 || addend != 0 ? product + addend : product;
        result = product != product ? (float) __lakatos_ieee_nan() : (float) product;
    } else {
        fraction = __lakatos_ieee_fma(left, right, addend, &negative, &exponent);
        result = fraction == 0 ? 0.0f : __lakatos_ieee_roundf(negative, fraction, exponent);
    }
    // glibc does not set errno, C allows it.
    if (__lakatos___isinf(result) && __lakatos___finite(product) && __lakatos___finite(addend))
        __lakatos_ieee_maybe_error(34); // ERANGE
    return result;
}

// fmaxf: C11 7.12.12.2.
static float __lakatos_fmaxf(float left, float right)
{
    return (float) __lakatos_fmax(left, right);
}

// fminf: C11 7.12.12.3.
static float __lakatos_fminf(float left, float right)
{
    return (float) __lakatos_fmin(left, right);
}

// copysignf: C11 7.12.11.1.
static float __lakatos_copysignf(float left, float right)
{
    return (float) __lakatos_copysign(left, right);
}

// fmodf: C11 7.12.10.1.
static float __lakatos_fmodf(float left, float right)
{
    return (float) __lakatos_fmod(left, right);
}

// remainderf: C11 7.12.10.2.
static float __lakatos_remainderf(float left, float right)
{
    return (float) __lakatos_remainder(left, right);
}

// dremf: glibc's other name for remainderf.
static float __lakatos_dremf(float left, float right)
{
    return (float) __lakatos_remainder(left, right);
}

// sqrtf: C11 7.12.7.5. A double has so many more digits that to round twice does no harm.
static float __lakatos_sqrtf(float number)
{
    return (float) __lakatos_sqrt(number);
}

// logbf: C11 7.12.6.11.
static float __lakatos_logbf(float number)
{
    return (float) __lakatos_logb(number);
}

// significandf: glibc.
static float __lakatos_significandf(float number)
{
    return (float) __lakatos_significand(number);
}

// ilogbf: C11 7.12.6.5.
static int __lakatos_ilogbf(float number)
{
    return __lakatos_ilogb(number);
}

// __isnanf: what glibc calls for isnan.
static int __lakatos___isnanf(float number)
{
    return number != number;
}

// __isinff: what glibc calls for isinf: 1, or -1 for minus infinity.
static int __lakatos___isinff(float number)
{
    return __lakatos___isinf(number);
}

// __finitef: what glibc calls for isfinite.
static int __lakatos___finitef(float number)
{
    return __lakatos___finite(number);
}

// __signbitf: what glibc calls for signbit. Any number that is not 0 for a negative one.
static int __lakatos___signbitf(float number)
{
    return __lakatos___signbit(number);
}

// __fpclassifyf: what glibc calls for fpclassify.
static int __lakatos___fpclassifyf(float number)
{
    if (number != 0 && number > -1.1754943508222875e-38 && number < 1.1754943508222875e-38)
        return 3;
    return __lakatos___fpclassify(number);
}

// isnanf: glibc (BSD).
static int __lakatos_isnanf(float number)
{
    return __lakatos___isnan(number);
}

// isinff: glibc (BSD). For minus infinity glibc gives -1, but GCC's own is 1.
static int __lakatos_isinff(float number)
{
    return __lakatos_isinf(number);
}

// finitef: glibc (BSD).
static int __lakatos_finitef(float number)
{
    return __lakatos___finite(number);
}
