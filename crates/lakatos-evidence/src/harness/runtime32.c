/* A small C library for programs that run as a 32-bit process on a machine without 32-bit
   libraries: system calls, output, memory, strings, and what the compiler takes from libgcc. */

typedef unsigned long long u64;
typedef long long i64;

static int system_call(int number, int a, int b, int c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

static char buffer[1 << 16];
static unsigned used;

static void flush(void) {
  for (unsigned at = 0; at < used;) at += system_call(4, 1, (int)(buffer + at), (int)(used - at));
  used = 0;
}

static void put(char c) {
  if (used == sizeof buffer) flush();
  buffer[used++] = c;
}

u64 __udivmoddi4(u64 n, u64 d, u64 *rest) {
  u64 quotient = 0, r = 0;
  for (int bit = 63; bit >= 0; bit--) {
    int carry = r >> 63;
    r = r << 1 | (n >> bit & 1);
    if (carry || r >= d) {
      r -= d;
      quotient |= 1ULL << bit;
    }
  }
  if (rest) *rest = r;
  return quotient;
}

u64 __udivdi3(u64 n, u64 d) { return __udivmoddi4(n, d, 0); }

u64 __umoddi3(u64 n, u64 d) {
  u64 rest;
  __udivmoddi4(n, d, &rest);
  return rest;
}

i64 __divmoddi4(i64 n, i64 d, i64 *rest) {
  u64 r;
  u64 q = __udivmoddi4(n < 0 ? -(u64)n : (u64)n, d < 0 ? -(u64)d : (u64)d, &r);
  if (rest) *rest = n < 0 ? -r : r;
  return (n < 0) != (d < 0) ? -q : q;
}

i64 __divdi3(i64 n, i64 d) { return __divmoddi4(n, d, 0); }

i64 __moddi3(i64 n, i64 d) {
  i64 rest;
  __divmoddi4(n, d, &rest);
  return rest;
}

int __popcountdi2(u64 n) {
  int count = 0;
  for (; n; n &= n - 1) count++;
  return count;
}

int __popcountsi2(unsigned n) { return __popcountdi2(n); }

int __ctzdi2(u64 n) {
  int count = 0;
  for (; !(n & 1); n >>= 1) count++;
  return count;
}

int __paritysi2(unsigned n) { return __popcountdi2(n) & 1; }

int __paritydi2(u64 n) { return __popcountdi2(n) & 1; }

int __clzdi2(u64 n) {
  int count = 0;
  for (; !(n >> 63); n <<= 1) count++;
  return count;
}

int __ffsdi2(u64 n) { return n ? __ctzdi2(n) + 1 : 0; }

u64 __fixunsdfdi(double x) {
  const double half = 9223372036854775808.0;
  return x < half ? (u64)(i64)x : (u64)(i64)(x - half) + (1ULL << 63);
}

u64 __fixunssfdi(float x) { return __fixunsdfdi(x); }

static long double exactly(u64 n) {
  return (long double)(i64)(n >> 32) * 4294967296.0L + (long double)(i64)(n & 0xffffffffu);
}

double __floatundidf(u64 n) { return (double)exactly(n); }

float __floatundisf(u64 n) { return (float)exactly(n); }

long write(int file, const void *bytes, unsigned size) {
  return system_call(4, file, (int)bytes, (int)size);
}

void _exit(int code) {
  for (;;) system_call(1, code, 0, 0);
}

void exit(int code) {
  flush();
  _exit(code);
}

/* Signal 6, as abort sends it. */
void abort(void) {
  flush();
  for (;;) system_call(37, system_call(20, 0, 0, 0), 6, 0);
}

static int put_padded(const char *text, int size, int width, char with) {
  int count = size;
  for (; count < width; count++) put(with);
  for (int i = 0; i < size; i++) put(text[i]);
  return count;
}

static int put_number(u64 n, int negative, unsigned base, int width, char with) {
  char digits[24];
  int at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[__umoddi3(n, base)];
    n = __udivdi3(n, base);
  } while (n);
  if (negative) digits[--at] = '-';
  return put_padded(digits + at, sizeof digits - at, width, with);
}

unsigned strlen(const char *s);
char *strchr(const char *s, int c);

/* Flags and a precision are read and ignored; floating-point numbers are shown as `?`. */
int printf(const char *format, ...) {
  int count = 0;
  __builtin_va_list list;
  __builtin_va_start(list, format);
  for (; *format; format++) {
    if (*format != '%') {
      put(*format);
      count++;
      continue;
    }
    int longs = 0, width = 0;
    char with = ' ';
    for (format++; *format && strchr("+-# 0", *format); format++)
      if (*format == '0') with = '0';
    for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + *format - '0';
    for (; *format == '.' || (*format >= '0' && *format <= '9'); format++);
    for (; *format && strchr("lhzjt", *format); format++)
      longs += *format == 'l' ? 1 : *format == 'j' ? 2 : 0;
    int is_signed = *format == 'd' || *format == 'i';
    if (!*format) break;
    if (strchr("diuxXop", *format)) {
      i64 value = longs >= 2 ? __builtin_va_arg(list, i64) : __builtin_va_arg(list, int);
      if (longs < 2 && !is_signed) value &= 0xffffffffLL;
      int negative = is_signed && value < 0;
      unsigned base = is_signed || *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
      count += put_number(negative ? -(u64)value : (u64)value, negative, base, width, with);
    } else if (*format == 's') {
      const char *text = __builtin_va_arg(list, const char *);
      count += put_padded(text, (int)strlen(text), width, ' ');
    } else {
      char shown = *format;
      if (shown == 'c') shown = (char)__builtin_va_arg(list, int);
      if (strchr("feEgGaA", shown)) {
        (void)__builtin_va_arg(list, double);
        shown = '?';
      }
      count += put_padded(&shown, 1, width, ' ');
    }
  }
  __builtin_va_end(list);
  return count;
}

int putchar(int c) {
  put((char)c);
  return (unsigned char)c;
}

int puts(const char *text) {
  while (*text) put(*text++);
  put('\n');
  return 1;
}

/* Blocks are never given back. Their size stands before them. */
static char *heap, *heap_end;

static char *more(unsigned size) {
  if (!heap) heap = heap_end = (char *)((system_call(45, 0, 0, 0) + 15) & ~15);
  if ((unsigned)(heap_end - heap) < size) {
    char *end = heap + size + (1 << 20);
    if (end < heap || system_call(45, (int)end, 0, 0) != (int)end) return 0;
    heap_end = end;
  }
  char *block = heap;
  heap += size;
  return block;
}

void *malloc(unsigned size) {
  char *block = size > 0xfffffff0u - 31 ? 0 : more(((size + 15) & ~15u) + 16);
  if (!block) return 0;
  *(unsigned *)block = size;
  for (unsigned i = 0; i < size; i++) block[16 + i] = 0x5a;
  return block + 16;
}

void *memset(void *to, int byte, unsigned size) {
  for (volatile char *p = to; size; size--) *p++ = (char)byte;
  return to;
}

void *calloc(unsigned count, unsigned size) {
  if (size && count > 0xffffffffu / size) return 0;
  void *block = malloc(count * size);
  return block ? memset(block, 0, count * size) : 0;
}

void free(void *block) { (void)block; }

void *memmove(void *to, const void *from, unsigned size) {
  volatile char *t = to;
  const volatile char *f = from;
  if (t < f)
    for (unsigned i = 0; i < size; i++) t[i] = f[i];
  else
    for (unsigned i = size; i-- > 0;) t[i] = f[i];
  return to;
}

void *memcpy(void *to, const void *from, unsigned size) { return memmove(to, from, size); }

void *realloc(void *old, unsigned size) {
  if (old && !size) return 0;
  char *block = malloc(size);
  if (!old || !block) return block;
  unsigned before = *(unsigned *)((char *)old - 16);
  return memmove(block, old, before < size ? before : size);
}

int memcmp(const void *a, const void *b, unsigned size) {
  const unsigned char *p = a, *q = b;
  for (; size; size--, p++, q++)
    if (*p != *q) return *p - *q;
  return 0;
}

void *memchr(const void *in, int byte, unsigned size) {
  for (const unsigned char *p = in; size; size--, p++)
    if (*p == (unsigned char)byte) return (void *)p;
  return 0;
}

unsigned strnlen(const char *s, unsigned most) {
  unsigned n = 0;
  for (const volatile char *p = s; n < most && *p; p++) n++;
  return n;
}

unsigned strlen(const char *s) { return strnlen(s, 0xffffffffu); }

int strncmp(const char *a, const char *b, unsigned most) {
  for (; most && *a && *a == *b; most--) a++, b++;
  return most ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, 0xffffffffu); }

char *strncat(char *to, const char *from, unsigned most) {
  unsigned end = strlen(to), size = strnlen(from, most);
  memmove(to + end, from, size);
  to[end + size] = 0;
  return to;
}

char *strcat(char *to, const char *from) { return strncat(to, from, 0xffffffffu); }

char *strcpy(char *to, const char *from) { return memmove(to, from, strlen(from) + 1); }

char *strncpy(char *to, const char *from, unsigned size) {
  unsigned used_bytes = strnlen(from, size);
  memmove(to, from, used_bytes);
  memset(to + used_bytes, 0, size - used_bytes);
  return to;
}

char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++)
    if (!*s) return 0;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  const char *found = 0;
  for (;; s++) {
    if (*s == (char)c) found = s;
    if (!*s) return (char *)found;
  }
}

char *strstr(const char *s, const char *part) {
  for (unsigned size = strlen(part);; s++) {
    if (!strncmp(s, part, size)) return (char *)s;
    if (!*s) return 0;
  }
}

int main(void);

__attribute__((force_align_arg_pointer, used)) void _start(void) { exit(main()); }
