// Models of getopt (POSIX) and getopt_long (GNU). Which options there are, and in which order the arguments
// stand afterwards, depends on their texts, which are taken for any: so these models only say what cannot
// happen. The objects that belong to them are defined here.

// Some of the arguments change places: options come to the front.
static void __lakatos_permute(int count, char *const *arguments)
{
    extern _Bool __lakatos_unknown_bool(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    while (__lakatos_unknown_bool()) {
        int left = __lakatos_unknown_int(), right = __lakatos_unknown_int();
        char *moved;
        __lakatos_assume(left >= 1 && left < count && right >= 1 && right < count);
        moved = arguments[left];
        ((char **) arguments)[left] = arguments[right];
        ((char **) arguments)[right] = moved;
    }
}

// The argument of an option: the rest of an argument, or one of its own. There is at least one.
static char *__lakatos_option_argument(int count, char *const *arguments)
{
    extern int __lakatos_unknown_int(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    int number = __lakatos_unknown_int();
    unsigned long offset = __lakatos_unknown_ulong();
    __lakatos_assume(number >= 1 && number < count);
    __lakatos_assume(offset <= __builtin_strlen(arguments[number]));
    return arguments[number] + offset;
}

// One of the short options; -1 is none left, 0 a long one.
static int __lakatos_short_option(int count, char *const *arguments, const char *options)
{
    extern _Bool __lakatos_unknown_bool(void);
    extern char __lakatos_unknown_char(void);
    extern int __lakatos_unknown_int(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern void __lakatos_assume(int);
    extern char *optarg;
    extern int optind, optopt;
    unsigned long at = __lakatos_unknown_ulong();
    char option;
    optarg = 0;
    optind = __lakatos_unknown_int();
    __lakatos_assume(optind >= 1 && (optind <= count || (count <= 1 && optind == 1)));
    if (count <= 1 || __lakatos_unknown_bool()) {
        (void) __builtin_strlen(options);
        return -1;
    }
    if (__lakatos_unknown_bool()) {
        // An option that is none.
        optopt = __lakatos_unknown_char();
        return '?';
    }
    __lakatos_assume(at < __builtin_strlen(options));
    option = options[at];
    __lakatos_assume(option != ':' && (at > 0 || (option != '+' && option != '-')));
    if (options[at + 1] != ':')
        return option;
    if (options[at + 2] == ':' && __lakatos_unknown_bool())
        return option;
    if (options[at + 2] != ':' && __lakatos_unknown_bool()) {
        // The argument is missing.
        optopt = option;
        return *options == ':' || ((*options == '+' || *options == '-') && options[1] == ':') ? ':' : '?';
    }
    optarg = __lakatos_option_argument(count, arguments);
    return option;
}

// getopt: POSIX.2 and glibc. With '-' at the beginning arguments that are no options count as options 1.
static int __lakatos_getopt(int count, char *const *arguments, const char *options)
{
    extern _Bool __lakatos_unknown_bool(void);
    extern char *optarg;
    int option = __lakatos_short_option(count, arguments, options);
    __lakatos_permute(count, arguments);
    if (option >= 0 && *options == '-' && __lakatos_unknown_bool()) {
        optarg = __lakatos_option_argument(count, arguments);
        return 1;
    }
    return option;
}
char *optarg;
int optind = 1, opterr = 1, optopt = '?';

// What describes a long option.
struct __lakatos_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

// getopt_long: glibc.
static int __lakatos_getopt_long(int count, char *const *arguments, const char *options,
    const void *descriptions, int *index)
{
    extern _Bool __lakatos_unknown_bool(void);
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    extern char *optarg;
    extern int optopt;
    const struct __lakatos_option *all = descriptions;
    int length = 0, chosen = __lakatos_unknown_int();
    int option = __lakatos_getopt(count, arguments, options);
    if (option < 0)
        return option;
    if (__lakatos_unknown_bool())
        return option;
    while (all[length].name != 0) {
        (void) __builtin_strlen(all[length].name);
        length++;
    }
    __lakatos_assume(chosen >= 0 && chosen < length);
    optarg = 0;
    if (all[chosen].has_argument == 1 || (all[chosen].has_argument == 2 && __lakatos_unknown_bool()))
        optarg = __lakatos_option_argument(count, arguments);
    if (__lakatos_unknown_bool()) {
        // The argument is missing, or there is one where none is wanted.
        optarg = 0;
        optopt = all[chosen].flag == 0 ? all[chosen].value : 0;
        return *options == ':' || ((*options == '+' || *options == '-') && options[1] == ':') ? ':' : '?';
    }
    if (index != 0)
        *index = chosen;
    if (all[chosen].flag == 0)
        return all[chosen].value;
    *all[chosen].flag = all[chosen].value;
    return 0;
}

// getopt_long_only: glibc. Long options may begin with one '-'.
static int __lakatos_getopt_long_only(int count, char *const *arguments, const char *options,
    const void *descriptions, int *index)
{
    return __lakatos_getopt_long(count, arguments, options, descriptions, index);
}
