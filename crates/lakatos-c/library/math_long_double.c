// Models of <math.h> (C11 7.12), functions of long double. Its numbers are known as far as they are numbers of
// double: where a result may be none, there are bounds.

// A number between these two, which may be infinite. Overflow and underflow may set errno.
static long double __lakatos_ieee_betweenl(long double low, long double high)
{
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double number = __lakatos_unknown_long_double();
    __lakatos_assume(number >= low && number <= high);
    __lakatos_ieee_maybe_error(34); // ERANGE
    return number;
}

// fabsl: C11 7.12.7.2.
static long double __lakatos_fabsl(long double number)
{
    if (number != number)
        return __lakatos_ieee_nan();
    if (number == 0)
        return 0.0;
    return number < 0 ? -number : number;
}

// ceil: C11 7.12.9.1.
static double __lakatos_ceil(double number)
{
    double whole = __lakatos_trunc(number);
    return whole < number ? whole + 1.0 : whole;
}

// truncl: C11 7.12.9.8. From 2 to the 63rd on, every number is whole.
static long double __lakatos_truncl(long double number)
{
    long double whole;
    if (!(number > -9223372036854775808.0 && number < 9223372036854775808.0))
        return number;
    whole = (long double) (long long) number;
    // The sign of a zero is that of the number.
    return whole == 0 ? (long double) ((double) number * 0.0) : whole;
}

// floorl: C11 7.12.9.2.
static long double __lakatos_floorl(long double number)
{
    long double whole = __lakatos_truncl(number);
    return whole > number ? whole - 1.0 : whole;
}

// ceill: C11 7.12.9.1.
static long double __lakatos_ceill(long double number)
{
    long double whole = __lakatos_truncl(number);
    return whole < number ? whole + 1.0 : whole;
}

// roundl: C11 7.12.9.6. Halves go away from 0.
static long double __lakatos_roundl(long double number)
{
    long double rest, whole;
    if ((long double) (double) number == number)
        return __lakatos_round((double) number);
    whole = __lakatos_truncl(number);
    rest = number - whole;
    return rest >= 0.5 ? whole + 1.0 : rest <= -0.5 ? whole - 1.0 : whole;
}

// rintl: C11 7.12.9.4. Rounds to the nearest number; halves go to the even one.
static long double __lakatos_rintl(long double number)
{
    long double rest, whole;
    int odd;
    if ((long double) (double) number == number)
        return __lakatos_rint((double) number);
    whole = __lakatos_truncl(number);
    rest = number - whole;
    odd = (rest == 0.5 || rest == -0.5) && ((long long) whole & 1) != 0;
    if (rest > 0.5 || (odd && rest > 0))
        return whole + 1.0;
    return rest < -0.5 || (odd && rest < 0) ? whole - 1.0 : whole;
}

// nearbyintl: C11 7.12.9.3.
static long double __lakatos_nearbyintl(long double number)
{
    return __lakatos_rintl(number);
}

// roundevenl: C23 7.12.9.8.
static long double __lakatos_roundevenl(long double number)
{
    return __lakatos_rintl(number);
}

// The whole number as a long.
static long __lakatos_ieee_longl(long double whole)
{
    long double limit = (long double) ((unsigned long) -1 / 2 + 1);
    if (whole >= -limit && whole < limit)
        return (long) whole;
    return (long) __lakatos_ieee_beyond();
}

// The whole number as a long long.
static long long __lakatos_ieee_longlongl(long double whole)
{
    if (whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
        return (long long) whole;
    return __lakatos_ieee_beyond();
}

// lrintl: C11 7.12.9.5.
static long __lakatos_lrintl(long double number)
{
    return __lakatos_ieee_longl(__lakatos_rintl(number));
}

// llrintl: C11 7.12.9.5.
static long long __lakatos_llrintl(long double number)
{
    return __lakatos_ieee_longlongl(__lakatos_rintl(number));
}

// lroundl: C11 7.12.9.7.
static long __lakatos_lroundl(long double number)
{
    return __lakatos_ieee_longl(__lakatos_roundl(number));
}

// llroundl: C11 7.12.9.7.
static long long __lakatos_llroundl(long double number)
{
    return __lakatos_ieee_longlongl(__lakatos_roundl(number));
}

// fmaxl: C11 7.12.12.2. Of two zeros either, and a number rather than a NaN.
static long double __lakatos_fmaxl(long double left, long double right)
{
    if (left == 0 && right == 0)
        return __lakatos_fmax((double) left, (double) right);
    return left != left || left < right ? right : left;
}

// fminl: C11 7.12.12.3. Of two zeros either, and a number rather than a NaN.
static long double __lakatos_fminl(long double left, long double right)
{
    if (left == 0 && right == 0)
        return __lakatos_fmin((double) left, (double) right);
    return left != left || left > right ? right : left;
}

// fdiml: C11 7.12.12.1.
static long double __lakatos_fdiml(long double left, long double right)
{
    long double difference;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (left <= right)
        return 0.0;
    difference = left - right;
    if (__lakatos___isinfl(difference) && !__lakatos___isinfl(left) && !__lakatos___isinfl(right))
        __lakatos_errno_value = 34; // ERANGE
    return difference;
}

// copysignl: C11 7.12.11.1. The sign of a NaN is open. A conversion keeps the sign.
static long double __lakatos_copysignl(long double size, long double sign)
{
    long double positive = __lakatos_fabsl(size);
    if (size != size)
        return positive;
    return __lakatos_ieee_sign((double) sign) ? -positive : positive;
}

// nanl: C11 7.12.11.2. Any NaN.
static long double __lakatos_nanl(const char *tag)
{
    return __lakatos_nan(tag);
}

// nextafterl: C11 7.12.11.3. Only between which numbers it lies is known.
static long double __lakatos_nextafterl(long double number, long double target)
{
    long double next;
    if (number != number || target != target)
        return __lakatos_ieee_nan();
    if (number == target)
        return target;
    if (number < target)
        next = __lakatos_ieee_betweenl(number, target);
    else
        next = __lakatos_ieee_betweenl(target, number);
    return next;
}

// nexttoward: C11 7.12.11.4.
static double __lakatos_nexttoward(double number, long double target)
{
    if (number != number || target != target)
        return __lakatos_ieee_nan();
    if (number == target)
        return (double) target;
    return __lakatos_nextafter(number, number < target ? __builtin_inf() : -__builtin_inf());
}

// nexttowardf: C11 7.12.11.4.
static float __lakatos_nexttowardf(float number, long double target)
{
    if (number != number || target != target)
        return (float) __lakatos_ieee_nan();
    if (number == target)
        return (float) target;
    return __lakatos_nextafterf(number, number < target ? __builtin_inff() : -__builtin_inff());
}

// nexttowardl: C11 7.12.11.4.
static long double __lakatos_nexttowardl(long double number, long double target)
{
    return __lakatos_nextafterl(number, target);
}

// frexpl: C11 7.12.6.4. Of a number that is no double only bounds are known.
static long double __lakatos_frexpl(long double number, int *exponent)
{
    extern int __lakatos_unknown_int(void);
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double fraction;
    if (number != number || (long double) (double) number == number)
        return __lakatos_frexp((double) number, exponent);
    *exponent = __lakatos_unknown_int();
    __lakatos_assume(*exponent >= -16444 && *exponent <= 16384);
    fraction = __lakatos_unknown_long_double();
    __lakatos_assume(fraction >= 0.5 && fraction < 1.0);
    return number < 0 ? -fraction : fraction;
}

// scalblnl: C11 7.12.6.13. Where no double is the result only its sign is known.
static long double __lakatos_scalblnl(long double number, long exponent)
{
    int error;
    double narrow = (double) number, result;
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_scalbln(narrow, exponent);
    if (narrow == number) {
        error = *__lakatos___errno_location();
        result = __lakatos_scalbln(narrow, exponent);
        __lakatos_errno_value = error;
        // Such a result has not been rounded.
        if (__lakatos___finite(result) && __lakatos_fabs(result) > 2.2250738585072014e-308)
            return result;
    }
    if (number < 0)
        return __lakatos_ieee_betweenl(-__builtin_inf(), 0.0);
    return __lakatos_ieee_betweenl(0.0, __builtin_inf());
}

// scalbnl: C11 7.12.6.13.
static long double __lakatos_scalbnl(long double number, int exponent)
{
    return __lakatos_scalblnl(number, exponent);
}

// ldexpl: C11 7.12.6.6.
static long double __lakatos_ldexpl(long double number, int exponent)
{
    return __lakatos_scalblnl(number, exponent);
}

// modfl: C11 7.12.6.12.
static long double __lakatos_modfl(long double number, long double *whole)
{
    double integer;
    double fraction;
    if (number != number || (long double) (double) number == number) {
        fraction = __lakatos_modf((double) number, &integer);
        *whole = integer;
        return fraction;
    }
    *whole = __lakatos_truncl(number);
    if (*whole == number)
        return number < 0 ? -0.0 : 0.0;
    return number - *whole;
}

// logbl: C11 7.12.6.11. Of a number that is no double only bounds are known.
static long double __lakatos_logbl(long double number)
{
    if (number != number || (long double) (double) number == number)
        return __lakatos_logb((double) number);
    return (long double) __lakatos_ilogbl(number);
}

// ilogbl: C11 7.12.6.5. Of a number that is no double only bounds are known.
static int __lakatos_ilogbl(long double number)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int exponent;
    if (number != number || (long double) (double) number == number)
        return __lakatos_ilogb((double) number);
    exponent = __lakatos_unknown_int();
    __lakatos_assume(exponent >= -16445 && exponent <= 16383);
    return exponent;
}

// significandl: glibc: the number without its power of 2.
static long double __lakatos_significandl(long double number)
{
    int exponent;
    if (number == 0 || number != number || __lakatos___isinfl(number))
        return __lakatos_significand((double) number);
    return __lakatos_frexpl(number, &exponent) * 2.0;
}

// fmodl: C11 7.12.10.1. Of numbers that are no doubles only bounds are known.
static long double __lakatos_fmodl(long double left, long double right)
{
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double rest;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (__lakatos___isinfl(left) || right == 0)
        return __lakatos_ieee_domain_error();
    if ((long double) (double) left == left && (long double) (double) right == right)
        return __lakatos_fmod((double) left, (double) right);
    if (__lakatos_fabsl(left) < __lakatos_fabsl(right))
        return left;
    rest = __lakatos_unknown_long_double();
    __lakatos_assume(rest >= 0 && rest < __lakatos_fabsl(right));
    return left < 0 ? -rest : rest;
}

// remainderl: C11 7.12.10.2. Of numbers that are no doubles only bounds are known.
static long double __lakatos_remainderl(long double left, long double right)
{
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double rest;
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    if (__lakatos___isinfl(left) || right == 0)
        return __lakatos_ieee_domain_error();
    if ((long double) (double) left == left && (long double) (double) right == right)
        return __lakatos_remainder((double) left, (double) right);
    if (__lakatos___isinfl(right))
        return left;
    rest = __lakatos_unknown_long_double();
    __lakatos_assume(__lakatos_fabsl(rest) < __lakatos_fabsl(right));
    return rest;
}

// remquol: C11 7.12.10.3. Of numbers that are no doubles only bounds are known.
static long double __lakatos_remquol(long double left, long double right, int *quotient)
{
    extern int __lakatos_unknown_int(void);
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double rest;
    if (left != left || right != right || __lakatos___isinfl(left) || right == 0
        || ((long double) (double) left == left && (long double) (double) right == right))
        return __lakatos_remquo(left, right, quotient);
    *quotient = __lakatos_unknown_int();
    if (__lakatos___isinfl(right))
        return left;
    rest = __lakatos_unknown_long_double();
    __lakatos_assume(__lakatos_fabsl(rest) < __lakatos_fabsl(right));
    return rest;
}

// sqrtl: C11 7.12.7.5. It lies between the number and 1.
static long double __lakatos_sqrtl(long double number)
{
    extern long double __lakatos_unknown_long_double(void);
    extern void __lakatos_assume(int);
    long double root;
    if (number != number)
        return __lakatos_ieee_nan();
    if (number == 0 || number == 1.0 || __lakatos___isinfl(number) == 1)
        return number;
    if (number < 0)
        return __lakatos_ieee_domain_error();
    root = __lakatos_unknown_long_double();
    __lakatos_assume(number < 1.0 ? root >= number && root <= 1.0 : root >= 1.0 && root <= number);
    return root;
}

// fmal: C11 7.12.13.1.
static long double __lakatos_fmal(long double left, long double right, long double addend)
{
    extern long double __lakatos_unknown_long_double(void);
    if (left != left || right != right || addend != addend)
        return __lakatos_ieee_nan();
    __lakatos_ieee_maybe_error(34); // ERANGE
    return __lakatos_unknown_long_double();
}

// dreml: glibc's other name for remainderl.
static long double __lakatos_dreml(long double left, long double right)
{
    return __lakatos_remainderl(left, right);
}

// __isnanl: what glibc calls for isnan. Any number that is not 0 for a NaN.
static int __lakatos___isnanl(long double number)
{
    return number != number ? __lakatos_some_number() : 0;
}

// __isinfl: what glibc calls for isinf: 1, or -1 for minus infinity.
static int __lakatos___isinfl(long double number)
{
    if (number == (long double) __builtin_inf())
        return 1;
    return number == -(long double) __builtin_inf() ? -1 : 0;
}

// __finitel: what glibc calls for isfinite.
static int __lakatos___finitel(long double number)
{
    return number > -(long double) __builtin_inf() && number < (long double) __builtin_inf();
}

// __signbitl: what glibc calls for signbit. A conversion keeps the sign.
static int __lakatos___signbitl(long double number)
{
    return __lakatos___signbit((double) number);
}

// __fpclassifyl: what glibc calls for fpclassify. What is not 0 as a double is normal.
static int __lakatos___fpclassifyl(long double number)
{
    extern int __lakatos_unknown_int(void);
    if (number != number)
        return 0;
    if (__lakatos___isinfl(number))
        return 1;
    if (number == 0)
        return 2;
    return (double) number == 0 && __lakatos_unknown_int() ? 3 : 4;
}

// isnanl: glibc (BSD).
static int __lakatos_isnanl(long double number)
{
    return __lakatos___isnanl(number);
}

// isinfl: glibc (BSD). For minus infinity glibc gives -1, but GCC's own is 1.
static int __lakatos_isinfl(long double number)
{
    extern int __lakatos_unknown_int(void);
    int kind = __lakatos___isinfl(number);
    return kind < 0 && __lakatos_unknown_int() ? 1 : kind;
}

// finitel: glibc (BSD).
static int __lakatos_finitel(long double number)
{
    return __lakatos___finitel(number);
}

// __isnormal: what the front-end calls for GCC's built-in function of a float or double. What a float
// can hold and is subnormal there may be either.
static int __lakatos___isnormal(double number)
{
    extern int __lakatos_unknown_int(void);
    int kind = __lakatos___fpclassify(number);
    if (kind == 4 && __lakatos___fpclassifyf((float) number) == 3 && (float) number == number)
        return __lakatos_unknown_int() != 0;
    return kind == 4;
}
