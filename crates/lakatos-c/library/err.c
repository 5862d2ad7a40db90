// Models of <err.h> (BSD). The program ends as by exit: what atexit was given is called (__lakatos_run_handlers, if
// there is any). The format may be null.

// vwarnx: BSD.
static void __lakatos_vwarnx(const char *format, __builtin_va_list arguments)
{
    if (format != 0)
        (void) __lakatos_put_formatted(format, arguments);
    __lakatos_succeed_somehow();
}

// vwarn: BSD. It also writes the text of errno.
static void __lakatos_vwarn(const char *format, __builtin_va_list arguments)
{
    __lakatos_vwarnx(format, arguments);
}

// verr: BSD.
static void __lakatos_verr(int status, const char *format, __builtin_va_list arguments)
{
    __lakatos_vwarnx(format, arguments);
    __builtin_exit(status);
}

// verrx: BSD.
static void __lakatos_verrx(int status, const char *format, __builtin_va_list arguments)
{
    __lakatos_vwarnx(format, arguments);
    __builtin_exit(status);
}

// warn: BSD.
static void __lakatos_warn(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __lakatos_vwarnx(format, arguments);
    __builtin_va_end(arguments);
}

// warnx: BSD.
static void __lakatos_warnx(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __lakatos_vwarnx(format, arguments);
    __builtin_va_end(arguments);
}

// err: BSD.
static void __lakatos_err(int status, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __lakatos_vwarnx(format, arguments);
    __builtin_va_end(arguments);
    __builtin_exit(status);
}

// errx: BSD.
static void __lakatos_errx(int status, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    __lakatos_vwarnx(format, arguments);
    __builtin_va_end(arguments);
    __builtin_exit(status);
}
