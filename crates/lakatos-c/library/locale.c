// Models of <locale.h> and <langinfo.h> (C11 7.11, POSIX). The models of the C library know the C locale
// only, in which every program begins: of a program that asks newlocale for another one nothing is known.

// Whether a name is one of the C locale.
static int __lakatos_is_c_locale(const char *name)
{
    return __builtin_strcmp(name, "C") == 0 || __builtin_strcmp(name, "POSIX") == 0;
}

// The name of the C locale, and of another one.
static char __lakatos_c_locale_name[2] = "C";

static char __lakatos_locale_name[256];

// setlocale: C11 7.11.1.1. Null if there is no such locale; an empty name stands for that of the environment.
// Assumption about locales: every locale is like the C locale
static char *__lakatos_setlocale(int category, const char *name)
{
    extern _Bool __lakatos_nondet_bool(void);
    extern _Bool __lakatos_unknown_bool(void);
    (void) category;
    if (name == 0 && __lakatos_locale_name[0] != 0 && __lakatos_unknown_bool())
        return __lakatos_locale_name;
    if (name == 0 || __lakatos_is_c_locale(name))
        return __lakatos_c_locale_name;
    if (__lakatos_nondet_bool())
        return 0;
    if (*name == 0 && __lakatos_nondet_bool())
        return __lakatos_c_locale_name;
    __lakatos_any_text(__lakatos_locale_name, 256);
    return __lakatos_locale_name;
}

// struct lconv: C11 7.11p2, in the order of glibc.
struct __lakatos_lconv {
    const char *texts[10];
    char numbers[14];
};

// The C locale: a point, and nothing else.
static struct __lakatos_lconv __lakatos_c_conventions;

// localeconv: C11 7.11.2.1.
static void *__lakatos_localeconv(void)
{
    int index = 0;
    while (index < 10) {
        __lakatos_c_conventions.texts[index] = index == 0 ? "." : "";
        index++;
    }
    index = 0;
    while (index < 14) {
        __lakatos_c_conventions.numbers[index] = 127; // CHAR_MAX
        index++;
    }
    return &__lakatos_c_conventions;
}

// The text of nl_langinfo.
static char __lakatos_language_information[64];

// nl_langinfo: POSIX. Any string, which C allows the next call to change; no text of the C locale is longer
// than 30 characters.
static char *__lakatos_nl_langinfo(int item)
{
    extern char __lakatos_unknown_char(void);
    int index = 0;
    (void) item;
    while (index < 63) {
        __lakatos_language_information[index] = __lakatos_unknown_char();
        index++;
    }
    __lakatos_language_information[63] = 0;
    return __lakatos_language_information;
}

// Stands for the object of the C locale.
static char __lakatos_c_locale;

// newlocale: POSIX. Null with errno.
static void *__lakatos_newlocale(int mask, const char *name, void *base)
{
    extern void *__lakatos_gap_newlocale(int, const char *);
    (void) base;
    if (name == 0) {
        __lakatos_errno_value = 22; // EINVAL
        return 0;
    }
    if (!__lakatos_is_c_locale(name))
        return __lakatos_gap_newlocale(mask, name);
    if (__lakatos_uncertain_outcome() != 0)
        return 0;
    return &__lakatos_c_locale;
}

// duplocale: POSIX. Every locale is the C locale.
static void *__lakatos_duplocale(void *locale)
{
    (void) locale;
    if (__lakatos_uncertain_outcome() != 0)
        return 0;
    return &__lakatos_c_locale;
}

// freelocale: POSIX.
static void __lakatos_freelocale(void *locale)
{
    (void) locale;
}

// uselocale: POSIX. The locale that was in use; that of the process (LC_GLOBAL_LOCALE) is -1. Which one it was is
// not known.
static void *__lakatos_uselocale(void *locale)
{
    extern _Bool __lakatos_unknown_bool(void);
    (void) locale;
    return __lakatos_unknown_bool() ? (void *) &__lakatos_c_locale : (void *) -1L;
}
