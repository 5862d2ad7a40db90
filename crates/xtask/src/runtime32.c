/* What a generated program needs to run as a 32-bit process on a machine without 32-bit
   libraries: system calls, output, memory, and the 64-bit divisions of libgcc. */

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

static void put_number(u64 n, unsigned base) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[__umoddi3(n, base)];
    n = __udivdi3(n, base);
  } while (n);
  while (count) put(digits[--count]);
}

int printf(const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  for (; *format; format++) {
    if (*format != '%') {
      put(*format);
      continue;
    }
    int longs = 0;
    while (*++format == 'l') longs++;
    int is_signed = *format == 'd';
    i64 value = longs == 2 ? __builtin_va_arg(list, i64) : __builtin_va_arg(list, int);
    if (longs < 2 && !is_signed) value &= 0xffffffffLL;
    if (is_signed && value < 0) {
      put('-');
      value = -(u64)value;
    }
    put_number(value, *format == 'x' ? 16 : 10);
  }
  __builtin_va_end(list);
  return 0;
}

/* Never given back: generated programs are short. */
static char heap[1 << 22] __attribute__((aligned(16)));
static unsigned top;

void *malloc(unsigned size) {
  void *block = heap + top;
  top += (size + 15) & ~15u;
  for (unsigned i = 0; i < size; i++) ((char *)block)[i] = 0x5a;
  return block;
}

void *memset(void *to, int byte, unsigned size) {
  for (volatile char *p = to; size; size--) *p++ = (char)byte;
  return to;
}

void *calloc(unsigned count, unsigned size) { return memset(malloc(count * size), 0, count * size); }

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

unsigned strlen(const char *s) {
  unsigned n = 0;
  for (const volatile char *p = s; *p; p++) n++;
  return n;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

int main(void);

__attribute__((force_align_arg_pointer, used)) void _start(void) {
  int code = main();
  flush();
  system_call(1, code, 0, 0);
}
