// Models of <math.h> (C11 7.12), functions whose result IEEE 754 fixes. Of a NaN only that it is one is
// kept: which of its bits a result has is open.

// A NaN of either sign.
static double __lakatos_some_nan(double nan)
{
    extern int __lakatos_unknown_int(void);
    return __lakatos_unknown_int() ? nan : -nan;
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

// fabsf: C11 7.12.7.2.
static float __lakatos_fabsf(float number)
{
    return (float) __lakatos_fabs(number);
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

// ceil: C11 7.12.9.1.
static double __lakatos_ceil(double number)
{
    double whole = __lakatos_trunc(number);
    return whole < number ? whole + 1.0 : whole;
}

// fmax: C11 7.12.12.2. Of two zeros either, and a number rather than a NaN.
static double __lakatos_fmax(double left, double right)
{
    extern int __lakatos_unknown_int(void);
    if (left != left)
        return right;
    if (right != right)
        return left;
    if (left == right)
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
    if (left == right)
        return __lakatos_unknown_int() ? left : right;
    return left < right ? left : right;
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
    extern int __lakatos_unknown_int(void);
    if (number != number)
        return __lakatos_unknown_int();
    return number < 0 || number == 0 && 1 / number < 0 ? __lakatos_some_number() : 0;
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

// isnan: C11 7.12.3.4, where it is no macro.
static int __lakatos_isnan(double number)
{
    return __lakatos___isnan(number);
}

// isinf: C11 7.12.3.3, where it is no macro.
static int __lakatos_isinf(double number)
{
    return __lakatos___isinf(number);
}
