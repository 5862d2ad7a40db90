// Models of <wctype.h> (C11 7.30) as of glibc in the C locale, where the only characters that belong to
// a class are those of ASCII. Which number but 0 stands for yes is glibc's choice.

// iswalnum: C11 7.30.2.1.
static int __lakatos_iswalnum(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isalnum((int) character);
}

// iswalpha: C11 7.30.2.1.
static int __lakatos_iswalpha(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isalpha((int) character);
}

// iswblank: C11 7.30.2.1.
static int __lakatos_iswblank(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isblank((int) character);
}

// iswcntrl: C11 7.30.2.1.
static int __lakatos_iswcntrl(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_iscntrl((int) character);
}

// iswdigit: C11 7.30.2.1.
static int __lakatos_iswdigit(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isdigit((int) character) != 0;
}

// iswgraph: C11 7.30.2.1.
static int __lakatos_iswgraph(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isgraph((int) character);
}

// iswlower: C11 7.30.2.1.
static int __lakatos_iswlower(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_islower((int) character);
}

// iswprint: C11 7.30.2.1.
static int __lakatos_iswprint(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isprint((int) character);
}

// iswpunct: C11 7.30.2.1.
static int __lakatos_iswpunct(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_ispunct((int) character);
}

// iswspace: C11 7.30.2.1.
static int __lakatos_iswspace(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isspace((int) character);
}

// iswupper: C11 7.30.2.1.
static int __lakatos_iswupper(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isupper((int) character);
}

// iswxdigit: C11 7.30.2.1.
static int __lakatos_iswxdigit(unsigned int character)
{
    if (character > 127)
        return 0;
    return __lakatos_isxdigit((int) character);
}

// towlower: C11 7.30.3.1.
static unsigned int __lakatos_towlower(unsigned int character)
{
    if (character > 127)
        return character;
    return (unsigned int) __lakatos_tolower((int) character);
}

// towupper: C11 7.30.3.1.
static unsigned int __lakatos_towupper(unsigned int character)
{
    if (character > 127)
        return character;
    return (unsigned int) __lakatos_toupper((int) character);
}

// iswalnum_l: POSIX; every locale is the C locale.
static int __lakatos_iswalnum_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswalnum(character);
}

// __iswalnum_l: glibc's other name for iswalnum_l.
static int __lakatos___iswalnum_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswalnum(character);
}

// iswalpha_l: POSIX; every locale is the C locale.
static int __lakatos_iswalpha_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswalpha(character);
}

// __iswalpha_l: glibc's other name for iswalpha_l.
static int __lakatos___iswalpha_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswalpha(character);
}

// iswblank_l: POSIX; every locale is the C locale.
static int __lakatos_iswblank_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswblank(character);
}

// __iswblank_l: glibc's other name for iswblank_l.
static int __lakatos___iswblank_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswblank(character);
}

// iswcntrl_l: POSIX; every locale is the C locale.
static int __lakatos_iswcntrl_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswcntrl(character);
}

// __iswcntrl_l: glibc's other name for iswcntrl_l.
static int __lakatos___iswcntrl_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswcntrl(character);
}

// iswdigit_l: POSIX; every locale is the C locale.
static int __lakatos_iswdigit_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswdigit(character);
}

// __iswdigit_l: glibc's other name for iswdigit_l.
static int __lakatos___iswdigit_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswdigit(character);
}

// iswgraph_l: POSIX; every locale is the C locale.
static int __lakatos_iswgraph_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswgraph(character);
}

// __iswgraph_l: glibc's other name for iswgraph_l.
static int __lakatos___iswgraph_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswgraph(character);
}

// iswlower_l: POSIX; every locale is the C locale.
static int __lakatos_iswlower_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswlower(character);
}

// __iswlower_l: glibc's other name for iswlower_l.
static int __lakatos___iswlower_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswlower(character);
}

// iswprint_l: POSIX; every locale is the C locale.
static int __lakatos_iswprint_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswprint(character);
}

// __iswprint_l: glibc's other name for iswprint_l.
static int __lakatos___iswprint_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswprint(character);
}

// iswpunct_l: POSIX; every locale is the C locale.
static int __lakatos_iswpunct_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswpunct(character);
}

// __iswpunct_l: glibc's other name for iswpunct_l.
static int __lakatos___iswpunct_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswpunct(character);
}

// iswspace_l: POSIX; every locale is the C locale.
static int __lakatos_iswspace_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswspace(character);
}

// __iswspace_l: glibc's other name for iswspace_l.
static int __lakatos___iswspace_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswspace(character);
}

// iswupper_l: POSIX; every locale is the C locale.
static int __lakatos_iswupper_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswupper(character);
}

// __iswupper_l: glibc's other name for iswupper_l.
static int __lakatos___iswupper_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswupper(character);
}

// iswxdigit_l: POSIX; every locale is the C locale.
static int __lakatos_iswxdigit_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswxdigit(character);
}

// __iswxdigit_l: glibc's other name for iswxdigit_l.
static int __lakatos___iswxdigit_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_iswxdigit(character);
}

// towlower_l: POSIX; every locale is the C locale.
static unsigned int __lakatos_towlower_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_towlower(character);
}

// __towlower_l: glibc's other name for towlower_l.
static unsigned int __lakatos___towlower_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_towlower(character);
}

// towupper_l: POSIX; every locale is the C locale.
static unsigned int __lakatos_towupper_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_towupper(character);
}

// __towupper_l: glibc's other name for towupper_l.
static unsigned int __lakatos___towupper_l(unsigned int character, void *locale)
{
    (void) locale;
    return __lakatos_towupper(character);
}

// wctype: C11 7.30.2.2.1. The number of a class, which only iswctype understands; 0 for a name of none.
static unsigned long __lakatos_wctype(const char *name)
{
    static const char names[12][8] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower",
        "print", "punct", "space", "upper", "xdigit"};
    unsigned long class = 0;
    while (class < 12) {
        if (__builtin_strcmp(names[class], name) == 0)
            return class + 1;
        class++;
    }
    return 0;
}

// iswctype: C11 7.30.2.2.1.
static int __lakatos_iswctype(unsigned int character, unsigned long class)
{
    switch (class) {
    case 1: return __lakatos_iswalnum(character);
    case 2: return __lakatos_iswalpha(character);
    case 3: return __lakatos_iswblank(character);
    case 4: return __lakatos_iswcntrl(character);
    case 5: return __lakatos_iswdigit(character);
    case 6: return __lakatos_iswgraph(character);
    case 7: return __lakatos_iswlower(character);
    case 8: return __lakatos_iswprint(character);
    case 9: return __lakatos_iswpunct(character);
    case 10: return __lakatos_iswspace(character);
    case 11: return __lakatos_iswupper(character);
    case 12: return __lakatos_iswxdigit(character);
    default: return 0;
    }
}

// The names of the mappings, as ints of the type that the program holds them in: glibc's wctrans_t is a pointer.
static const int __lakatos_mappings[2];

// wctrans: C11 7.30.3.2.2. What only towctrans understands; null for a name of no mapping.
static const int *__lakatos_wctrans(const char *name)
{
    if (__builtin_strcmp(name, "tolower") == 0)
        return &__lakatos_mappings[0];
    if (__builtin_strcmp(name, "toupper") == 0)
        return &__lakatos_mappings[1];
    return 0;
}

// towctrans: C11 7.30.3.2.1.
static unsigned int __lakatos_towctrans(unsigned int character, const int *mapping)
{
    if (mapping == &__lakatos_mappings[0])
        return __lakatos_towlower(character);
    if (mapping == &__lakatos_mappings[1])
        return __lakatos_towupper(character);
    return character;
}
