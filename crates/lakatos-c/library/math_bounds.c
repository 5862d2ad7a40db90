// Models of <math.h> (C11 7.12), functions that C does not define to the last bit: what C11 Annex F says of
// them, and bounds that leave room for errors of rounding.

// exp: C11 7.12.6.1.
static double __lakatos_exp(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 1.0;
    if (__lakatos___isinf(number))
        return number > 0 ? number : 0.0;
    return __lakatos_ieee_between(number > 0 ? 1.0 : 0.0, number > 0 ? __builtin_inf() : 1.0);
}

// expf: C11 7.12.6.1.
static float __lakatos_expf(float number)
{
    return (float) __lakatos_exp(number);
}

// expl: C11 7.12.6.1.
static long double __lakatos_expl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_exp((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.99 : 0.0, number > 0 ? __builtin_inf() : 1.01);
}

// exp2: C11 7.12.6.2.
static double __lakatos_exp2(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 1.0;
    if (__lakatos___isinf(number))
        return number > 0 ? number : 0.0;
    return __lakatos_ieee_between(number > 0 ? 1.0 : 0.0, number > 0 ? __builtin_inf() : 1.0);
}

// exp2f: C11 7.12.6.2.
static float __lakatos_exp2f(float number)
{
    return (float) __lakatos_exp2(number);
}

// exp2l: C11 7.12.6.2.
static long double __lakatos_exp2l(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_exp2((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.99 : 0.0, number > 0 ? __builtin_inf() : 1.01);
}

// exp10: glibc.
static double __lakatos_exp10(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 1.0;
    if (__lakatos___isinf(number))
        return number > 0 ? number : 0.0;
    return __lakatos_ieee_between(number > 0 ? 0.99 : 0.0, number > 0 ? __builtin_inf() : 1.01);
}

// exp10f: glibc.
static float __lakatos_exp10f(float number)
{
    return (float) __lakatos_exp10(number);
}

// exp10l: glibc.
static long double __lakatos_exp10l(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_exp10((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.99 : 0.0, number > 0 ? __builtin_inf() : 1.01);
}

// expm1: C11 7.12.6.3.
static double __lakatos_expm1(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (__lakatos___isinf(number))
        return number > 0 ? number : -1.0;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.0, number > 0 ? __builtin_inf() : 0.0);
}

// expm1f: C11 7.12.6.3.
static float __lakatos_expm1f(float number)
{
    return (float) __lakatos_expm1(number);
}

// expm1l: C11 7.12.6.3.
static long double __lakatos_expm1l(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_expm1((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -1.01, number > 0 ? __builtin_inf() : 0.0);
}

// log: C11 7.12.6.7.
static double __lakatos_log(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0) {
        __lakatos_errno_value = 34; // ERANGE
        return -__builtin_inf();
    }
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number == 1.0)
        return 0.0;
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 1.0 ? 0.0 : -746.0, number > 1.0 ? 710.0 : 0.0);
}

// logf: C11 7.12.6.7.
static float __lakatos_logf(float number)
{
    return (float) __lakatos_log(number);
}

// logl: C11 7.12.6.7.
static long double __lakatos_logl(long double number)
{
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || number == 1.0 || __lakatos___isinfl(number))
        return __lakatos_log((double) number);
    return __lakatos_ieee_betweenl(number > 1.0 ? 0.0 : -11400.0, number > 1.0 ? 11400.0 : 0.0);
}

// log2: C11 7.12.6.10.
static double __lakatos_log2(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0) {
        __lakatos_errno_value = 34; // ERANGE
        return -__builtin_inf();
    }
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number == 1.0)
        return 0.0;
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 1.0 ? 0.0 : -1075.0, number > 1.0 ? 1025.0 : 0.0);
}

// log2f: C11 7.12.6.10.
static float __lakatos_log2f(float number)
{
    return (float) __lakatos_log2(number);
}

// log2l: C11 7.12.6.10.
static long double __lakatos_log2l(long double number)
{
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || number == 1.0 || __lakatos___isinfl(number))
        return __lakatos_log2((double) number);
    return __lakatos_ieee_betweenl(number > 1.0 ? 0.0 : -16446.0, number > 1.0 ? 16385.0 : 0.0);
}

// log10: C11 7.12.6.8.
static double __lakatos_log10(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0) {
        __lakatos_errno_value = 34; // ERANGE
        return -__builtin_inf();
    }
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number == 1.0)
        return 0.0;
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 1.0 ? 0.0 : -324.0, number > 1.0 ? 309.0 : 0.0);
}

// log10f: C11 7.12.6.8.
static float __lakatos_log10f(float number)
{
    return (float) __lakatos_log10(number);
}

// log10l: C11 7.12.6.8.
static long double __lakatos_log10l(long double number)
{
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || number == 1.0 || __lakatos___isinfl(number))
        return __lakatos_log10((double) number);
    return __lakatos_ieee_betweenl(number > 1.0 ? 0.0 : -4952.0, number > 1.0 ? 4933.0 : 0.0);
}

// log1p: C11 7.12.6.9.
static double __lakatos_log1p(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (number == -1.0) {
        __lakatos_errno_value = 34; // ERANGE
        return -__builtin_inf();
    }
    if (number < -1.0)
        return __lakatos_ieee_domain_error();
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -38.0, number > 0 ? 710.0 : 0.0);
}

// log1pf: C11 7.12.6.9.
static float __lakatos_log1pf(float number)
{
    return (float) __lakatos_log1p(number);
}

// log1pl: C11 7.12.6.9.
static long double __lakatos_log1pl(long double number)
{
    if (number < -1.0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || number == -1.0 || __lakatos___isinfl(number))
        return __lakatos_log1p((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -45.0, number > 0 ? 11400.0 : 0.0);
}

// sin: C11 7.12.4.6.
static double __lakatos_sin(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (__lakatos___isinf(number))
        return __lakatos_ieee_domain_error();
    return __lakatos_ieee_between(-1.0, 1.0);
}

// sinf: C11 7.12.4.6.
static float __lakatos_sinf(float number)
{
    return (float) __lakatos_sin(number);
}

// sinl: C11 7.12.4.6.
static long double __lakatos_sinl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_sin((double) number);
    return __lakatos_ieee_betweenl(-1.01, 1.01);
}

// cos: C11 7.12.4.5.
static double __lakatos_cos(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 1.0;
    if (__lakatos___isinf(number))
        return __lakatos_ieee_domain_error();
    return __lakatos_ieee_between(-1.0, 1.0);
}

// cosf: C11 7.12.4.5.
static float __lakatos_cosf(float number)
{
    return (float) __lakatos_cos(number);
}

// cosl: C11 7.12.4.5.
static long double __lakatos_cosl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_cos((double) number);
    return __lakatos_ieee_betweenl(-1.01, 1.01);
}

// tan: C11 7.12.4.7.
static double __lakatos_tan(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (__lakatos___isinf(number))
        return __lakatos_ieee_domain_error();
    return __lakatos_ieee_between(-1.0e300, 1.0e300);
}

// tanf: C11 7.12.4.7.
static float __lakatos_tanf(float number)
{
    return (float) __lakatos_tan(number);
}

// tanl: C11 7.12.4.7.
static long double __lakatos_tanl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_tan((double) number);
    return __lakatos_ieee_betweenl(-1.0e300, 1.0e300);
}

// asin: C11 7.12.4.2.
static double __lakatos_asin(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number == 0)
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.58, number > 0 ? 1.58 : 0.0);
}

// asinf: C11 7.12.4.2.
static float __lakatos_asinf(float number)
{
    return (float) __lakatos_asin(number);
}

// asinl: C11 7.12.4.2.
static long double __lakatos_asinl(long double number)
{
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0)
        return __lakatos_asin((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -1.58, number > 0 ? 1.58 : 0.0);
}

// acos: C11 7.12.4.1.
static double __lakatos_acos(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number == 1.0)
        return 0.0;
    return __lakatos_ieee_between(number > 0 ? 0.0 : 1.57, number > 0 ? 1.58 : 3.15);
}

// acosf: C11 7.12.4.1.
static float __lakatos_acosf(float number)
{
    return (float) __lakatos_acos(number);
}

// acosl: C11 7.12.4.1.
static long double __lakatos_acosl(long double number)
{
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 1.0)
        return __lakatos_acos((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : 1.57, number > 0 ? 1.58 : 3.15);
}

// atan: C11 7.12.4.3.
static double __lakatos_atan(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.58, number > 0 ? 1.58 : 0.0);
}

// atanf: C11 7.12.4.3.
static float __lakatos_atanf(float number)
{
    return (float) __lakatos_atan(number);
}

// atanl: C11 7.12.4.3.
static long double __lakatos_atanl(long double number)
{
    if (number != number || number == 0)
        return __lakatos_atan((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -1.58, number > 0 ? 1.58 : 0.0);
}

// sinh: C11 7.12.5.5.
static double __lakatos_sinh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -__builtin_inf(), number > 0 ? __builtin_inf() : 0.0);
}

// sinhf: C11 7.12.5.5.
static float __lakatos_sinhf(float number)
{
    return (float) __lakatos_sinh(number);
}

// sinhl: C11 7.12.5.5.
static long double __lakatos_sinhl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_sinh((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -__builtin_inf(), number > 0 ? __builtin_inf() : 0.0);
}

// cosh: C11 7.12.5.4.
static double __lakatos_cosh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return 1.0;
    if (__lakatos___isinf(number))
        return __builtin_inf();
    return __lakatos_ieee_between(1.0, __builtin_inf());
}

// coshf: C11 7.12.5.4.
static float __lakatos_coshf(float number)
{
    return (float) __lakatos_cosh(number);
}

// coshl: C11 7.12.5.4.
static long double __lakatos_coshl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_cosh((double) number);
    return __lakatos_ieee_betweenl(0.99, __builtin_inf());
}

// tanh: C11 7.12.5.6.
static double __lakatos_tanh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (__lakatos___isinf(number))
        return number > 0 ? 1.0 : -1.0;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.0, number > 0 ? 1.0 : 0.0);
}

// tanhf: C11 7.12.5.6.
static float __lakatos_tanhf(float number)
{
    return (float) __lakatos_tanh(number);
}

// tanhl: C11 7.12.5.6.
static long double __lakatos_tanhl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_tanh((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -1.01, number > 0 ? 1.01 : 0.0);
}

// asinh: C11 7.12.5.2.
static double __lakatos_asinh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -711.0, number > 0 ? 711.0 : 0.0);
}

// asinhf: C11 7.12.5.2.
static float __lakatos_asinhf(float number)
{
    return (float) __lakatos_asinh(number);
}

// asinhl: C11 7.12.5.2.
static long double __lakatos_asinhl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_asinh((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -11400.0, number > 0 ? 11400.0 : 0.0);
}

// acosh: C11 7.12.5.1.
static double __lakatos_acosh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number < 1.0)
        return __lakatos_ieee_domain_error();
    if (number == 1.0)
        return 0.0;
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(0.0, 711.0);
}

// acoshf: C11 7.12.5.1.
static float __lakatos_acoshf(float number)
{
    return (float) __lakatos_acosh(number);
}

// acoshl: C11 7.12.5.1.
static long double __lakatos_acoshl(long double number)
{
    if (number < 1.0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 1.0 || __lakatos___isinfl(number))
        return __lakatos_acosh((double) number);
    return __lakatos_ieee_betweenl(0.0, 11400.0);
}

// atanh: C11 7.12.5.3.
static double __lakatos_atanh(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number == 0)
        return number;
    if (number == 1.0 || number == -1.0) {
        __lakatos_errno_value = 34; // ERANGE
        return number > 0 ? __builtin_inf() : -__builtin_inf();
    }
    return __lakatos_ieee_between(number > 0 ? 0.0 : -19.0, number > 0 ? 19.0 : 0.0);
}

// atanhf: C11 7.12.5.3.
static float __lakatos_atanhf(float number)
{
    return (float) __lakatos_atanh(number);
}

// atanhl: C11 7.12.5.3.
static long double __lakatos_atanhl(long double number)
{
    if (number < -1.0 || number > 1.0)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || number == 1.0 || number == -1.0)
        return __lakatos_atanh((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -23.0, number > 0 ? 23.0 : 0.0);
}

// cbrt: C11 7.12.7.1.
static double __lakatos_cbrt(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0 || __lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.0e103, number > 0 ? 1.0e103 : 0.0);
}

// cbrtf: C11 7.12.7.1.
static float __lakatos_cbrtf(float number)
{
    return (float) __lakatos_cbrt(number);
}

// cbrtl: C11 7.12.7.1.
static long double __lakatos_cbrtl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_cbrt((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -__builtin_inf(), number > 0 ? __builtin_inf() : 0.0);
}

// erf: C11 7.12.8.1.
static double __lakatos_erf(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0)
        return number;
    if (__lakatos___isinf(number))
        return number > 0 ? 1.0 : -1.0;
    return __lakatos_ieee_between(number > 0 ? 0.0 : -1.0, number > 0 ? 1.0 : 0.0);
}

// erff: C11 7.12.8.1.
static float __lakatos_erff(float number)
{
    return (float) __lakatos_erf(number);
}

// erfl: C11 7.12.8.1.
static long double __lakatos_erfl(long double number)
{
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_erf((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : -1.01, number > 0 ? 1.01 : 0.0);
}

// erfc: C11 7.12.8.2.
static double __lakatos_erfc(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (__lakatos___isinf(number))
        return number > 0 ? 0.0 : 2.0;
    return __lakatos_ieee_between(number > 0 ? 0.0 : 1.0, number < 0 ? 2.0 : 1.0);
}

// erfcf: C11 7.12.8.2.
static float __lakatos_erfcf(float number)
{
    return (float) __lakatos_erfc(number);
}

// erfcl: C11 7.12.8.2.
static long double __lakatos_erfcl(long double number)
{
    if (number != number || __lakatos___isinfl(number))
        return __lakatos_erfc((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.0 : 0.99, number < 0 ? 2.01 : 1.01);
}

// tgamma: C11 7.12.8.4.
static double __lakatos_tgamma(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number == 0) {
        __lakatos_errno_value = 34; // ERANGE
        return __lakatos_ieee_sign(number) ? -__builtin_inf() : __builtin_inf();
    }
    if (number < 0 && __lakatos_trunc(number) == number)
        return __lakatos_ieee_domain_error();
    if (__lakatos___isinf(number))
        return number;
    return __lakatos_ieee_between(number > 0 ? 0.88 : -__builtin_inf(), __builtin_inf());
}

// tgammaf: C11 7.12.8.4.
static float __lakatos_tgammaf(float number)
{
    return (float) __lakatos_tgamma(number);
}

// tgammal: C11 7.12.8.4.
static long double __lakatos_tgammal(long double number)
{
    if (number < 0 && __lakatos_truncl(number) == number)
        return __lakatos_ieee_domain_error();
    if (number != number || number == 0 || __lakatos___isinfl(number))
        return __lakatos_tgamma((double) number);
    return __lakatos_ieee_betweenl(number > 0 ? 0.88 : -__builtin_inf(), __builtin_inf());
}

// lgamma_r: POSIX: lgamma with the sign at *sign.
static double __lakatos_lgamma_r(double number, int *sign)
{
    extern int __lakatos_unknown_int(void);
    *sign = __lakatos_unknown_int();
    if (number != number)
        return __lakatos_ieee_nan();
    if (__lakatos___isinf(number))
        return __builtin_inf();
    if (number <= 0 && __lakatos_trunc(number) == number) {
        __lakatos_errno_value = 34; // ERANGE
        return __builtin_inf();
    }
    return __lakatos_ieee_between(number > 0 ? -0.13 : -__builtin_inf(), __builtin_inf());
}

// lgammal_r: POSIX: lgammal with the sign at *sign.
static long double __lakatos_lgammal_r(long double number, int *sign)
{
    extern int __lakatos_unknown_int(void);
    *sign = __lakatos_unknown_int();
    if (number != number)
        return __lakatos_ieee_nan();
    if (__lakatos___isinfl(number))
        return __builtin_inf();
    if (number <= 0 && __lakatos_truncl(number) == number) {
        __lakatos_errno_value = 34; // ERANGE
        return __builtin_inf();
    }
    return __lakatos_ieee_betweenl(number > 0 ? -0.13 : -__builtin_inf(), __builtin_inf());
}

// lgammaf_r: POSIX: lgammaf with the sign at *sign.
static float __lakatos_lgammaf_r(float number, int *sign)
{
    return (float) __lakatos_lgamma_r(number, sign);
}

// sincos: glibc.
static void __lakatos_sincos(double number, double *sine, double *cosine)
{
    *sine = __lakatos_sin(number);
    *cosine = __lakatos_cos(number);
}

// sincosf: glibc.
static void __lakatos_sincosf(float number, float *sine, float *cosine)
{
    *sine = __lakatos_sinf(number);
    *cosine = __lakatos_cosf(number);
}

// sincosl: glibc.
static void __lakatos_sincosl(long double number, long double *sine, long double *cosine)
{
    *sine = __lakatos_sinl(number);
    *cosine = __lakatos_cosl(number);
}

// atan2: C11 7.12.4.4.
static double __lakatos_atan2(double ordinate, double abscissa)
{
    double angle;
    if (ordinate != ordinate || abscissa != abscissa)
        return __lakatos_ieee_nan();
    if ((ordinate == 0 && __lakatos_ieee_sign(abscissa) == 0)
        || (__lakatos___isinf(abscissa) == 1 && __lakatos___finite(ordinate)))
        angle = 0.0;
    else if (ordinate == 0)
        angle = __lakatos_ieee_between(3.14, 3.15);
    else
        angle = __lakatos_ieee_between(abscissa > 0 ? 0.0 : 1.57, abscissa < 0 ? 3.15 : 1.58);
    return __lakatos_ieee_sign(ordinate) ? -angle : angle;
}

// atan2f: C11 7.12.4.4.
static float __lakatos_atan2f(float ordinate, float abscissa)
{
    return (float) __lakatos_atan2(ordinate, abscissa);
}

// atan2l: C11 7.12.4.4. A conversion keeps the sign.
static long double __lakatos_atan2l(long double ordinate, long double abscissa)
{
    long double angle;
    if (ordinate != ordinate || abscissa != abscissa)
        return __lakatos_ieee_nan();
    if (ordinate == 0 && __lakatos_ieee_sign((double) abscissa) == 0)
        return ordinate;
    if (ordinate == 0)
        angle = __lakatos_ieee_betweenl(3.14, 3.15);
    else
        angle = __lakatos_ieee_betweenl(abscissa > 0 ? 0.0 : 1.57, abscissa < 0 ? 3.15 : 1.58);
    return __lakatos_ieee_sign((double) ordinate) ? -angle : angle;
}

// hypot: C11 7.12.7.3. Infinite if one operand is, even if the other is a NaN.
static double __lakatos_hypot(double left, double right)
{
    if (__lakatos___isinf(left) || __lakatos___isinf(right))
        return __builtin_inf();
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    left = __lakatos_fabs(left);
    right = __lakatos_fabs(right);
    if (left == 0 || right == 0)
        return left + right;
    left = left < right ? right : left;
    return __lakatos_ieee_between(left / 2.0, left * 2.0);
}

// hypotf: C11 7.12.7.3.
static float __lakatos_hypotf(float left, float right)
{
    return (float) __lakatos_hypot(left, right);
}

// hypotl: C11 7.12.7.3. Infinite if one operand is, even if the other is a NaN.
static long double __lakatos_hypotl(long double left, long double right)
{
    if (__lakatos___isinfl(left) || __lakatos___isinfl(right))
        return __builtin_inf();
    if (left != left || right != right)
        return __lakatos_ieee_nan();
    return __lakatos_ieee_betweenl(0.0, __builtin_inf());
}

// pow: C11 7.12.7.4.
static double __lakatos_pow(double base, double exponent)
{
    double size, power;
    int odd, whole;
    if (base == 1.0 || exponent == 0)
        return 1.0;
    if (base != base || exponent != exponent)
        return __lakatos_ieee_nan();
    whole = __lakatos_trunc(exponent) == exponent;
    if (base < 0 && !whole && __lakatos___finite(base))
        return __lakatos_ieee_domain_error();
    size = __lakatos_fabs(base);
    if (size == 0 || __lakatos___isinf(size) || __lakatos___isinf(exponent))
        power = __lakatos_ieee_power(size, exponent);
    else if ((size > 1.0) == (exponent > 0))
        power = __lakatos_ieee_between(1.0, __builtin_inf());
    else
        power = __lakatos_ieee_between(0.0, 1.0);
    // From 2 to the 53rd on, every number is even.
    odd = whole && __lakatos_fabs(exponent) < 9007199254740992.0 && ((long long) exponent & 1) != 0;
    return odd && __lakatos_ieee_sign(base) ? -power : power;
}

// powf: C11 7.12.7.4.
static float __lakatos_powf(float base, float exponent)
{
    return (float) __lakatos_pow(base, exponent);
}

// powl: C11 7.12.7.4. A conversion keeps the sign.
static long double __lakatos_powl(long double base, long double exponent)
{
    if (base == 1.0 || exponent == 0)
        return 1.0;
    if (base != base || exponent != exponent)
        return __lakatos_ieee_nan();
    if (base < 0 && __lakatos_truncl(exponent) != exponent && !__lakatos___isinfl(base))
        return __lakatos_ieee_domain_error();
    return __lakatos_ieee_betweenl(__lakatos_ieee_sign((double) base) ? -__builtin_inf() : 0.0, __builtin_inf());
}

// lgamma: C11 7.12.8.3. In a program that does not look at signgam.
static double __lakatos_lgamma(double number)
{
    int sign;
    return __lakatos_lgamma_r(number, &sign);
}

// lgammaf: C11 7.12.8.3. In a program that does not look at signgam.
static float __lakatos_lgammaf(float number)
{
    int sign;
    return __lakatos_lgammaf_r(number, &sign);
}

// lgammal: C11 7.12.8.3. In a program that does not look at signgam.
static long double __lakatos_lgammal(long double number)
{
    int sign;
    return __lakatos_lgammal_r(number, &sign);
}

// j0: POSIX. A Bessel function of the first kind: between -1 and 1.
static double __lakatos_j0(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    return __lakatos_ieee_between(-1.0, 1.0);
}

// j0f: glibc.
static float __lakatos_j0f(float number)
{
    return (float) __lakatos_j0(number);
}

// j1: POSIX. A Bessel function of the first kind: between -1 and 1.
static double __lakatos_j1(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    return __lakatos_ieee_between(-1.0, 1.0);
}

// j1f: glibc.
static float __lakatos_j1f(float number)
{
    return (float) __lakatos_j1(number);
}

// jn: POSIX. A Bessel function of the first kind: between -1 and 1.
static double __lakatos_jn(int order, double number)
{
    (void) order;
    return __lakatos_j0(number);
}

// jnf: glibc.
static float __lakatos_jnf(int order, float number)
{
    (void) order;
    return (float) __lakatos_j0(number);
}

// y0: POSIX. A Bessel function of the second kind, which has no values for negative numbers, and a pole at 0.
static double __lakatos_y0(double number)
{
    if (number != number)
        return __lakatos_some_nan(number);
    if (number < 0)
        return __lakatos_ieee_domain_error();
    if (number == 0) {
        __lakatos_errno_value = 34; // ERANGE
        return -__builtin_inf();
    }
    return __lakatos_ieee_between(-__builtin_inf(), 1.0);
}

// y0f: glibc.
static float __lakatos_y0f(float number)
{
    return (float) __lakatos_y0(number);
}

// y1: POSIX.
static double __lakatos_y1(double number)
{
    return __lakatos_y0(number);
}

// y1f: glibc.
static float __lakatos_y1f(float number)
{
    return (float) __lakatos_y0(number);
}
