// Models of <time.h> (C11 7.27, POSIX). The clocks are the environment's: two readings may be anything.

// time: C11 7.27.2.4. Linux knows no time before 1970; -1 says that there is none.
static long __lakatos_time(long *result)
{
    extern long __lakatos_nondet_long(void);
    extern void __lakatos_assume(int);
    long now = __lakatos_nondet_long();
    __lakatos_assume(now >= -1);
    if (result != 0)
        *result = now;
    return now;
}

// clock: C11 7.27.2.1. Where long has 32 bits the clock wraps around, so it is any number.
static long __lakatos_clock(void)
{
    extern long __lakatos_unknown_long(void);
    return __lakatos_unknown_long();
}

// difftime: C11 7.27.2.2. The exact difference, rounded once.
static double __lakatos_difftime(long later, long earlier)
{
    if (later < earlier)
        return -(double) ((unsigned long) earlier - (unsigned long) later);
    return (double) ((unsigned long) later - (unsigned long) earlier);
}

// struct timespec: C11 7.27.1, where time_t is long.
struct __lakatos_timespec {
    long seconds;
    long nanoseconds;
};

// struct timeval: POSIX, where time_t and suseconds_t are long.
struct __lakatos_timeval {
    long seconds;
    long microseconds;
};

// nanosleep: POSIX. It sleeps, or a signal interrupts it, or the time is none.
static int __lakatos_nanosleep(const void *request, void *remaining)
{
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    const struct __lakatos_timespec *wanted = request;
    struct __lakatos_timespec *left = remaining;
    long most = wanted->seconds;
    if (most < 0 || wanted->nanoseconds < 0 || wanted->nanoseconds > 999999999) {
        __lakatos_errno_value = 22; // EINVAL
        return -1;
    }
    if (__lakatos_unknown_int())
        return 0;
    if (left != 0) {
        left->seconds = __lakatos_unknown_long();
        left->nanoseconds = __lakatos_unknown_long();
        __lakatos_assume(left->seconds >= 0 && left->seconds <= most);
        __lakatos_assume(left->nanoseconds >= 0 && left->nanoseconds <= 999999999);
    }
    __lakatos_errno_value = 4; // EINTR
    return -1;
}

// clock_gettime: POSIX. Linux has no clock that shows negative numbers.
static int __lakatos_clock_gettime(int clock, void *result)
{
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    struct __lakatos_timespec *now = result;
    (void) clock;
    if (__lakatos_unknown_int()) {
        __lakatos_fail_somehow();
        return -1;
    }
    now->seconds = __lakatos_unknown_long();
    now->nanoseconds = __lakatos_unknown_long();
    __lakatos_assume(now->seconds >= 0);
    __lakatos_assume(now->nanoseconds >= 0 && now->nanoseconds <= 999999999);
    return 0;
}

// gettimeofday: POSIX. The time zone has to be null (POSIX leaves the rest unspecified; Linux fills the
// old structure of two ints).
static int __lakatos_gettimeofday(void *result, void *zone)
{
    extern int __lakatos_nondet_int(void);
    extern long __lakatos_nondet_long(void);
    extern void __lakatos_assume(int);
    struct __lakatos_timeval *now = result;
    int *offset = zone;
    if (now != 0) {
        now->seconds = __lakatos_nondet_long();
        now->microseconds = __lakatos_nondet_long();
        __lakatos_assume(now->seconds >= 0);
        __lakatos_assume(now->microseconds >= 0 && now->microseconds <= 999999);
    }
    if (offset != 0) {
        offset[0] = __lakatos_nondet_int();
        offset[1] = __lakatos_nondet_int();
    }
    return 0;
}

// struct tm: C11 7.27.1p4, with the members that glibc has behind it.
struct __lakatos_tm {
    int second, minute, hour, day, month, year, weekday, yearday, summer;
    long offset;
    const char *zone;
};

// Fills in a time of the calendar from the days since 1970 and a second of the day. EOVERFLOW if no int has
// the year.
static int __lakatos_calendar(long long days, long second, void *result)
{
    struct __lakatos_tm *time = result;
    // Days since the 1st of March 2000, in cycles of 400 years.
    long long cycle, year;
    long rest, century, four, one, month;
    long long shifted = days - 11017;
    cycle = shifted / 146097;
    rest = (long) (shifted % 146097);
    if (rest < 0) {
        rest += 146097;
        cycle--;
    }
    century = rest / 36524;
    if (century == 4)
        century = 3;
    rest -= century * 36524;
    four = rest / 1461;
    rest -= four * 1461;
    one = rest / 365;
    if (one == 4)
        one = 3;
    rest -= one * 365;
    // The rest is the day in a year that begins in March.
    year = 2000 + 400 * cycle + 100 * century + 4 * four + one;
    month = (5 * rest + 2) / 153;
    if (rest >= 306)
        year++;
    if (year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1) {
        __lakatos_errno_value = 75; // EOVERFLOW
        return -1;
    }
    time->second = (int) (second % 60);
    time->minute = (int) (second / 60 % 60);
    time->hour = (int) (second / 3600);
    time->day = (int) (rest - (153 * month + 2) / 5 + 1);
    time->month = (int) (month < 10 ? month + 2 : month - 10);
    time->year = (int) (year - 1900);
    time->weekday = (int) ((shifted % 7 + 10) % 7);
    if (rest >= 306)
        time->yearday = (int) (rest - 306);
    else
        time->yearday = (int) (rest + 59)
            + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 1 : 0);
    time->summer = 0;
    time->offset = 0;
    time->zone = "GMT";
    return 0;
}

// gmtime_r: POSIX. Null with EOVERFLOW.
static void *__lakatos_gmtime_r(const long *time, void *result)
{
    long long days = *time / 86400;
    long second = *time % 86400;
    if (second < 0) {
        second += 86400;
        days--;
    }
    return __lakatos_calendar(days, second, result) == 0 ? result : 0;
}

// __gmtime_r: glibc's other name.
static void *__lakatos___gmtime_r(const long *time, void *result)
{
    return __lakatos_gmtime_r(time, result);
}

// The result of gmtime and localtime.
static struct __lakatos_tm __lakatos_broken_time;

// gmtime: C11 7.27.3.3.
static void *__lakatos_gmtime(const long *time)
{
    return __lakatos_gmtime_r(time, &__lakatos_broken_time);
}

// The name of a time zone.
static char __lakatos_zone_name[16];

// localtime_r: POSIX. A time zone is less than 26 hours away (25 in POSIX, with an hour in summer).
static void *__lakatos_localtime_r(const long *time, void *result)
{
    extern long __lakatos_unknown_long(void);
    extern _Bool __lakatos_unknown_bool(void);
    extern void __lakatos_assume(int);
    struct __lakatos_tm *local = result;
    long offset = __lakatos_unknown_long();
    long long days = *time / 86400;
    long second = *time % 86400;
    __lakatos_assume(offset > -93600 && offset < 93600);
    // The seconds are not negative now.
    second += offset + 2 * 86400;
    __lakatos_assume(second >= -86400);
    if (second < 0) {
        second += 86400;
        days--;
    }
    days += second / 86400 - 2;
    if (__lakatos_calendar(days, second % 86400, result) != 0)
        return 0;
    local->summer = __lakatos_unknown_bool();
    local->offset = offset;
    local->zone = __lakatos_any_text(__lakatos_zone_name, 16);
    __lakatos_succeed_somehow();
    return result;
}

// __localtime_r: glibc's other name.
static void *__lakatos___localtime_r(const long *time, void *result)
{
    return __lakatos_localtime_r(time, result);
}

// localtime: C11 7.27.3.4.
static void *__lakatos_localtime(const long *time)
{
    return __lakatos_localtime_r(time, &__lakatos_broken_time);
}

// The seconds since 1970 that a time of the calendar stands for, as far as the members are from their ranges.
static long long __lakatos_seconds_of(const void *broken)
{
    const struct __lakatos_tm *time = broken;
    long long month = time->month;
    long long year = time->year + 1900LL + month / 12;
    long long days, cycle;
    month %= 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    // The year begins in March.
    if (month < 2) {
        month += 10;
        year--;
    } else {
        month -= 2;
    }
    year -= 2000;
    cycle = year / 400;
    year %= 400;
    if (year < 0) {
        year += 400;
        cycle--;
    }
    days = cycle * 146097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + 11017;
    days += time->day - 1LL;
    return days * 86400 + time->hour * 3600LL + time->minute * 60LL + time->second;
}

// timegm: glibc. -1 with EOVERFLOW. The other members are set.
static long __lakatos_timegm(void *broken)
{
    long long seconds = __lakatos_seconds_of(broken);
    long result = (long) seconds;
    if (result != seconds) {
        __lakatos_errno_value = 75; // EOVERFLOW
        return -1;
    }
    // Where no int has the year, the members stay.
    if (__lakatos_gmtime_r(&result, broken) == 0)
        return -1;
    return result;
}

// mktime: C11 7.27.2.3. The time in GMT, less than 26 hours away; or -1 with EOVERFLOW.
static long __lakatos_mktime(void *broken)
{
    extern long __lakatos_unknown_long(void);
    extern void __lakatos_assume(int);
    struct __lakatos_tm *time = broken;
    long long seconds = __lakatos_seconds_of(broken);
    long result = __lakatos_unknown_long();
    int summer = time->summer;
    (void) summer;
    if (__lakatos_uncertain_outcome() != 0) {
        __lakatos_errno_value = 75; // EOVERFLOW
        return -1;
    }
    // An hour more where it is not known whether it is summer.
    __lakatos_assume(result - seconds > -100800 && result - seconds < 100800);
    if (__lakatos_localtime_r(&result, broken) == 0)
        return -1;
    return result;
}

// timelocal: glibc's other name for mktime.
static long __lakatos_timelocal(void *broken)
{
    return __lakatos_mktime(broken);
}

// strftime: C11 7.27.3.5. Any text that fits, or 0 and then nothing is known of the array.
static unsigned long __lakatos_strftime(char *text, unsigned long size, const char *format,
    const void *broken)
{
    extern _Bool __lakatos_unknown_bool(void);
    (void) __builtin_strlen(format);
    __lakatos_read_memory(broken, 9 * sizeof(int));
    if (size == 0)
        return 0;
    if (__lakatos_unknown_bool()) {
        *text = 0;
        return 0;
    }
    if (size > 1)
        __lakatos_any_text(text, size);
    else
        *text = 0;
    if (__lakatos_unknown_bool())
        return 0;
    return __builtin_strlen(text);
}

// strftime_l: POSIX; every locale is the C locale.
static unsigned long __lakatos_strftime_l(char *text, unsigned long size, const char *format,
    const void *broken, void *locale)
{
    (void) locale;
    return __lakatos_strftime(text, size, format, broken);
}

// asctime_r: POSIX. With glibc 26 characters at most, or null with EOVERFLOW. Which ones is not known.
static char *__lakatos_asctime_r(const void *broken, char *text)
{
    __lakatos_read_memory(broken, 9 * sizeof(int));
    __lakatos_any_text(text, 26);
    if (__lakatos_uncertain_outcome() == 0)
        return text;
    __lakatos_errno_value = 75; // EOVERFLOW
    return 0;
}

// The text of asctime and ctime.
static char __lakatos_time_text[114];

// asctime: C11 7.27.3.1.
static char *__lakatos_asctime(const void *broken)
{
    __lakatos_read_memory(broken, 9 * sizeof(int));
    __lakatos_any_text(__lakatos_time_text, 114);
    if (__lakatos_uncertain_outcome() == 0)
        return __lakatos_time_text;
    __lakatos_errno_value = 75; // EOVERFLOW
    return 0;
}

// ctime_r: POSIX.
static char *__lakatos_ctime_r(const long *time, char *text)
{
    struct __lakatos_tm local;
    if (__lakatos_localtime_r(time, &local) == 0)
        return 0;
    return __lakatos_asctime_r(&local, text);
}

// ctime: C11 7.27.3.2.
static char *__lakatos_ctime(const long *time)
{
    if (__lakatos_localtime(time) == 0)
        return 0;
    return __lakatos_asctime(&__lakatos_broken_time);
}

// timespec_get: C11 7.27.2.5. The base, or 0; glibc 2.36 knows the base 1.
static int __lakatos_timespec_get(void *result, int base)
{
    if (base == 1 && __lakatos_clock_gettime(0, result) == 0)
        return 1;
    return 0;
}

// clock_getres: POSIX. The result may be null.
static int __lakatos_clock_getres(int clock, void *result)
{
    if (result != 0)
        return __lakatos_clock_gettime(clock, result);
    return __lakatos_uncertain_outcome();
}

// clock_nanosleep: POSIX. 0 or the number of the error; what is left is only written for relative times.
static int __lakatos_clock_nanosleep(int clock, int flags, const void *request, void *remaining)
{
    int before = *__lakatos___errno_location();
    int result = 0;
    (void) clock;
    if (__lakatos_uncertain_outcome() != 0)
        result = *__lakatos___errno_location();
    else if (__lakatos_nanosleep(request, (flags & 1) != 0 ? 0 : remaining) != 0)
        result = *__lakatos___errno_location();
    __lakatos_errno_value = before;
    return result;
}

// times: POSIX. Four numbers, and one that may be -1.
static long __lakatos_times(long *result)
{
    extern long __lakatos_unknown_long(void);
    int index = 0;
    while (result != 0 && index < 4) {
        result[index] = __lakatos_unknown_long();
        index++;
    }
    __lakatos_succeed_somehow();
    return __lakatos_unknown_long();
}

// tzset: POSIX. The time zone is any, always. (A program that looks at tzname and its relatives has objects from
// outside.)
static void __lakatos_tzset(void)
{
    __lakatos_succeed_somehow();
}

// strptime: POSIX. Null, or a place in the text; some members of the time are set. What they are then is not known.
static char *__lakatos_strptime(const char *text, const char *format, void *broken)
{
    extern int __lakatos_unknown_int(void);
    extern long __lakatos_unknown_long(void);
    extern unsigned long __lakatos_unknown_ulong(void);
    extern _Bool __lakatos_unknown_bool(void);
    extern void __lakatos_assume(int);
    struct __lakatos_tm *time = broken;
    unsigned long length = __builtin_strlen(text);
    unsigned long place = __lakatos_unknown_ulong();
    (void) __builtin_strlen(format);
    if (__lakatos_unknown_bool())
        time->second = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->minute = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->hour = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->day = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->month = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->year = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->weekday = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->yearday = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->summer = __lakatos_unknown_int();
    if (__lakatos_unknown_bool())
        time->offset = __lakatos_unknown_long();
    if (__lakatos_unknown_bool())
        time->zone = __lakatos_any_text(__lakatos_zone_name, 16);
    if (__lakatos_unknown_bool())
        return 0;
    __lakatos_assume(place <= length);
    return (char *) text + place;
}

// clock_settime: POSIX.
static int __lakatos_clock_settime(int clock, const void *time)
{
    (void) clock;
    __lakatos_read_memory(time, 2 * sizeof(long));
    return __lakatos_uncertain_outcome();
}

// settimeofday: BSD. Both may be null.
static int __lakatos_settimeofday(const void *time, const void *zone)
{
    if (time != 0)
        __lakatos_read_memory(time, 2 * sizeof(long));
    if (zone != 0)
        __lakatos_read_memory(zone, 8);
    return __lakatos_uncertain_outcome();
}
