// Models of <inttypes.h> (C11 7.8). intmax_t is long long here: in LP64 it is long, of the same width.

// imaxabs: C11 7.8.2.1. The least number has no absolute value: -number overflows.
static long long __lakatos_imaxabs(long long number)
{
    return number < 0 ? -number : number;
}

// imaxdiv: C11 7.8.2.2. imaxdiv_t has the layout of lldiv_t.
static struct __lakatos_lldiv_t __lakatos_imaxdiv(long long number, long long divisor)
{
    return __lakatos_lldiv(number, divisor);
}

// strtoimax: C11 7.8.2.3.
static long long __lakatos_strtoimax(const char *text, char **end, int base)
{
    return (long long) __lakatos_read_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// strtoumax: C11 7.8.2.3.
static unsigned long long __lakatos_strtoumax(const char *text, char **end, int base)
{
    return (unsigned long long) __lakatos_read_integer(text, end, base, 0, 0, (unsigned long long) -1);
}

// __isoc23_strtoimax: what strtoimax is since glibc 2.38 for C23: it knows 0b, too.
static long long __lakatos___isoc23_strtoimax(const char *text, char **end, int base)
{
    return (long long) __lakatos_read_integer(text, end, base, 1, 1, (unsigned long long) -1 >> 1);
}

// __isoc23_strtoumax: what strtoumax is since glibc 2.38 for C23: it knows 0b, too.
static unsigned long long __lakatos___isoc23_strtoumax(const char *text, char **end, int base)
{
    return (unsigned long long) __lakatos_read_integer(text, end, base, 1, 0, (unsigned long long) -1);
}

// wcstoimax: C11 7.8.2.4.
static long long __lakatos_wcstoimax(const int *text, int **end, int base)
{
    return (long long) __lakatos_read_wide_integer(text, end, base, 0, 1, (unsigned long long) -1 >> 1);
}

// wcstoumax: C11 7.8.2.4.
static unsigned long long __lakatos_wcstoumax(const int *text, int **end, int base)
{
    return (unsigned long long) __lakatos_read_wide_integer(text, end, base, 0, 0, (unsigned long long) -1);
}
