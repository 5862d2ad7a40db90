typedef __builtin_va_list va_list;
typedef struct { int a; double b; char c[3]; } S;
enum e { A = 7 };

static int sum(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int s = 0;
    while (n-- > 0) s += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return s;
}

/* A list that another function goes on with: an array for LP64, so both see how far it got. */
static long rest(va_list ap) {
    long first = __builtin_va_arg(ap, long);
    return first * 10 + __builtin_va_arg(ap, long);
}

static long through(const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    long result = 0;
    for (; *format; format++) {
        switch (*format) {
        case 'd': result = result * 3 + __builtin_va_arg(ap, int); break;
        case 'u': result = result * 3 + __builtin_va_arg(ap, unsigned); break;
        case 'f': result += (long)(__builtin_va_arg(ap, double) * 2); break;
        case 's': result += *__builtin_va_arg(ap, const char *); break;
        case 'S': { S s = __builtin_va_arg(ap, S); result += s.a + (long)s.b + s.c[2]; break; }
        case 'r': result += rest(ap); break;
        case 'p': { va_list copy; __builtin_va_copy(copy, ap); result += __builtin_va_arg(copy, int); __builtin_va_end(copy); break; }
        case '*': { va_list *list = &ap; result += __builtin_va_arg(*list, long long); break; }
        }
    }
    __builtin_va_end(ap);
    return result;
}

static int nested(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int a = __builtin_va_arg(ap, int);
    int b = sum(2, n, a);
    int c = __builtin_va_arg(ap, int);
    return a * 100 + b * 10 + c;
}

static int down(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int x = __builtin_va_arg(ap, int);
    if (n > 0) x += down(n - 1, x + 1);
    return x;
}

int main(void) {
    S s = {1, 2.5, {3, 4, 5}};
    short small = -3;
    float f = 1.5f;
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(4, 'a', small, (char)200, (_Bool)7));
    printf("%ld\n", through("du", -5, 4000000000u));
    printf("%ld\n", through("fsf", f, "x", 2.25));
    printf("%ld %d\n", through("Sd", s, A), s.a);
    printf("%ld\n", through("rd", 4L, 5L, 6));
    printf("%ld\n", through("pd", 9));
    printf("%ld\n", through("*d", 1LL << 40, 2));
    printf("%d %d\n", nested(1, 2, 3), nested(sum(1, 4), sum(2, 1, 1), 5));
    int (*pointer)(int, ...) = sum;
    int (*table[])(int, ...) = {nested, sum};
    printf("%d %d\n", pointer(2, 20, 22), table[pointer(1, 1)](1, 6));
    printf("%d\n", down(3, 1));
    for (int i = 0; i < 3; i++) printf("%d ", sum(i, i, i + 1));
    return 0;
}
