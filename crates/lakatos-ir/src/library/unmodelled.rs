//! Functions of the C library that have no model yet, with what bounds their effects.
//!
//! `names.txt` lists what glibc 2.36 exports from `libc` and `libm` (`nm -D --defined-only`), which
//! includes C11 and POSIX.1-2017. A name that stands there and in none of the groups below is
//! [`Effects::Unbounded`].

use super::Effects;

/// Sorted by bytes.
const NAMES: &str = include_str!("names.txt");

/// Functions of numbers, with a suffix for each floating type (`sqrtf`, `sqrtl`, `sqrtf128`, …).
const MATH: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc \
    exp exp10 exp2 expm1 fabs fdim finite floor fma fmax fmaximum fmin fminimum fmod hypot \
    ilogb j0 j1 jn ldexp llogb llrint llround log log10 log1p log2 logb lrint lround nearbyint \
    nextafter nextdown nexttoward nextup pow remainder rint round roundeven scalb scalbln scalbn \
    significand sin sinh sqrt tan tanh tgamma trunc y0 y1 yn isinf isnan __isinf __isnan __finite \
    __signbit __fpclassify __issignaling __iseqsig cabs cacos cacosh carg casin casinh catan catanh \
    ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh csqrt ctan ctanh fmaxmag fminmag";

const FLOATS: [&str; 9] = ["", "f", "l", "f32", "f64", "f128", "f32x", "f64x", "f16"];

/// Functions that touch no memory of the program. Streams and descriptors are not its memory.
const VALUE: &str = "abs labs llabs imaxabs div ldiv lldiv imaxdiv rand srand random srandom drand48 \
    lrand48 mrand48 srand48 arc4random arc4random_uniform ffs ffsl ffsll  \
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper \
    isxdigit toascii tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc \
    __ctype_get_mb_cur_max \
    iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct \
    iswspace iswupper iswxdigit towctrans towlower towupper wctob btowc wcwidth \
    __errno_location clock difftime getpid getppid gettid getuid geteuid getgid getegid getpgrp \
    getpagesize getdtablesize gnu_dev_major gnu_dev_minor gnu_dev_makedev \
    htonl htons ntohl ntohs isatty close dup dup2 lseek fsync fdatasync sync umask sleep usleep \
    sysconf nice sched_yield ftruncate setuid setgid seteuid setegid setsid \
    getchar getchar_unlocked getc getc_unlocked fgetc fgetc_unlocked getw getwchar getwc fgetwc \
    putc putc_unlocked putchar_unlocked fputc fputc_unlocked putw putwchar putwc fputwc \
    ungetc ungetwc feof feof_unlocked ferror ferror_unlocked clearerr clearerr_unlocked \
    fflush fflush_unlocked fclose fcloseall fileno fileno_unlocked fseek fseeko ftell ftello rewind \
    tmpfile fegetround fetestexcept fegetexcept pthread_self pthread_equal thrd_current thrd_equal \
    thrd_yield pthread_testcancel";

/// Functions that read what their arguments point to.
const READS: &str = "atof atoi atol atoll bcmp fputs fputs_unlocked fwrite fwrite_unlocked fputws \
    fopen fopen64 freopen perror access open open64 creat unlink rmdir mkdir chdir \
    rename remove link symlink chmod chown truncate write pwrite writev send sendto \
    strcasecmp strncasecmp strcoll strcspn strspn strpbrk strcasestr strchrnul strverscmp rawmemchr \
    memrchr memmem wcscmp wcsncmp wcscoll wcslen wcsnlen wcschr wcsrchr wcsspn wcscspn \
    wcspbrk wcsstr wmemchr wmemcmp wcscasecmp wcsncasecmp wcswidth nan nanf nanl getenv \
    secure_getenv strerror nanosleep asctime inet_addr wctype wctrans \
    sigismember sigisemptyset mbsinit";

/// Functions that read and write what their arguments point to.
const WRITES: &str = "bcopy bzero explicit_bzero mempcpy memccpy memfrob stpcpy stpncpy swab strfry \
    strtod strtof strtold strtol strtoll strtoul strtoull strtoimax strtoumax strtoq strtouq \
    __isoc99_strtol strxfrm \
    sprintf snprintf vsprintf vsnprintf fprintf dprintf vprintf vfprintf vdprintf __printf_chk \
    __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk \
    __vsnprintf_chk __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __strncpy_chk __strcat_chk \
    __strncat_chk __stpcpy_chk __mempcpy_chk swprintf vswprintf wprintf fwprintf vwprintf \
    sscanf scanf fscanf vsscanf vscanf vfscanf __isoc99_sscanf __isoc99_scanf __isoc99_fscanf \
    __isoc99_vsscanf __isoc99_vscanf __isoc99_vfscanf swscanf \
    fgets fgets_unlocked gets fgetws fread fread_unlocked read pread readv recv recvfrom \
    fgetpos fsetpos time times gettimeofday clock_gettime clock_getres gmtime_r \
    asctime_r stat lstat fstat fstatat stat64 lstat64 fstat64 getcwd \
    gethostname uname pipe pipe2 getrandom getentropy rand_r sigemptyset sigfillset sigaddset \
    sigdelset mbtowc wctomb mbstowcs wcstombs mbrtowc wcrtomb mbsrtowcs wcsrtombs mbrlen \
    wcscpy wcsncpy wcscat wcsncat wmemcpy wmemmove wmemset wcpcpy wcpncpy wmempcpy wcstol wcstoul \
    wcstoll wcstoull wcstod wcstof wcstold wcsxfrm frexp frexpf frexpl modf modff modfl remquo \
    remquof remquol sincos sincosf sincosl lgamma_r lgammaf_r lgammal_r fegetenv fegetexceptflag \
    inet_aton inet_ntop inet_pton select poll \
    pthread_mutex_init pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_destroy \
    pthread_mutexattr_settype pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate";

pub(super) fn effects_of(name: &str) -> Option<Effects> {
    let contains = |group: &str| group.split_ascii_whitespace().any(|own| own == name);
    if contains(VALUE) || is_math(name) {
        Some(Effects::Value)
    } else if contains(READS) {
        Some(Effects::Reads)
    } else if contains(WRITES) {
        Some(Effects::Writes)
    } else {
        contains(NAMES).then_some(Effects::Unbounded)
    }
}

fn is_math(name: &str) -> bool {
    let is_suffix = |suffix: &str| FLOATS.contains(&suffix);
    MATH.split_ascii_whitespace().any(|base| name.strip_prefix(base).is_some_and(is_suffix))
}
