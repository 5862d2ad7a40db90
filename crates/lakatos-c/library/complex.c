// Models of <complex.h> (C11 7.3), as far as the parts of the result are exact, or bounded.

// creal: C11 7.3.9.6.
static double __lakatos_creal(double _Complex z)
{
    return __real__ z;
}

// crealf: C11 7.3.9.6.
static float __lakatos_crealf(float _Complex z)
{
    return __real__ z;
}

// cimag: C11 7.3.9.2.
static double __lakatos_cimag(double _Complex z)
{
    return __imag__ z;
}

// cimagf: C11 7.3.9.2.
static float __lakatos_cimagf(float _Complex z)
{
    return __imag__ z;
}

// conj: C11 7.3.9.4.
static double _Complex __lakatos_conj(double _Complex z)
{
    return ~z;
}

// conjf: C11 7.3.9.4.
static float _Complex __lakatos_conjf(float _Complex z)
{
    return ~z;
}

// cproj: C11 7.3.9.5. All infinities are one.
static double _Complex __lakatos_cproj(double _Complex z)
{
    double infinity = __builtin_inf();
    if (__real__ z == infinity || __real__ z == -infinity || __imag__ z == infinity || __imag__ z == -infinity) {
        __real__ z = infinity;
        __imag__ z = __builtin_copysign(0.0, __imag__ z);
    }
    return z;
}

// cprojf: C11 7.3.9.5.
static float _Complex __lakatos_cprojf(float _Complex z)
{
    float infinity = __builtin_inff();
    if (__real__ z == infinity || __real__ z == -infinity || __imag__ z == infinity || __imag__ z == -infinity) {
        __real__ z = infinity;
        __imag__ z = __builtin_copysignf(0.0f, __imag__ z);
    }
    return z;
}

// cabs: C11 7.3.8.1, as hypot.
static double __lakatos_cabs(double _Complex z)
{
    return __lakatos_hypot(__real__ z, __imag__ z);
}

// cabsf: C11 7.3.8.1, as hypotf.
static float __lakatos_cabsf(float _Complex z)
{
    return __lakatos_hypotf(__real__ z, __imag__ z);
}

// carg: C11 7.3.9.1, as atan2.
static double __lakatos_carg(double _Complex z)
{
    return __lakatos_atan2(__imag__ z, __real__ z);
}

// cargf: C11 7.3.9.1, as atan2f.
static float __lakatos_cargf(float _Complex z)
{
    return __lakatos_atan2f(__imag__ z, __real__ z);
}
