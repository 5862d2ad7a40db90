#undef main

/* Functions of the C library under names of our own: the program may declare them otherwise. */
extern long __lakatos_write(int, const void *, __SIZE_TYPE__) __asm__("write");
extern void __lakatos_exit(int) __asm__("_exit");
extern void *__lakatos_zeroed(__SIZE_TYPE__, __SIZE_TYPE__) __asm__("calloc");

/* The address sanitizer has the last word where it is used. */
#ifdef __SANITIZE_ADDRESS__
extern void __lakatos_free(void *) __asm__("free");
const char *__lakatos_sanitizer(void) __asm__("__asan_default_options");
const char *__lakatos_sanitizer(void) {
  return __LAKATOS_SANITIZER ":detect_stack_use_after_return=1:allocator_may_return_null=0";
}
extern void __lakatos_leak_check(void) __asm__("__lsan_do_leak_check");
/* Ends the program if something is lost. */
static void __lakatos_leaks(void) {
  if (__LAKATOS_LEAKS) __lakatos_leak_check();
}
#else
static void __lakatos_free(void *block) {}
static void __lakatos_leaks(void) {}
#endif

static void __lakatos_put(const char *text) {
  __SIZE_TYPE__ size = 0;
  while (text[size]) size++;
  __lakatos_write(2, text, size);
}

static void __lakatos_end(const char *what, const char *where, int code) {
  __lakatos_put("lakatos: ");
  __lakatos_put(what);
  __lakatos_put(where);
  __lakatos_put("\n");
  __lakatos_exit(code);
}

/* Gives the bits that come in when the slot is passed; the others stay as they are. */
static void __lakatos_pass(int slot, unsigned char *to, __SIZE_TYPE__ size) {
  unsigned pass = __lakatos_passed[slot]++;
  unsigned row = __lakatos_first[slot] + __lakatos_taken[slot];
  for (; row < __lakatos_first[slot + 1] && __lakatos_rows[row].pass == pass; row++)
    for (unsigned bit = 0; bit < __lakatos_rows[row].width; bit++) {
      __SIZE_TYPE__ at = __lakatos_rows[row].bit + bit;
      unsigned long long half = bit < 64 ? __lakatos_rows[row].low : __lakatos_rows[row].high;
      at = __lakatos_rows[row].offset * 8 + at;
      if (at / 8 >= size) continue;
      to[at / 8] &= (unsigned char)~(1u << at % 8);
      to[at / 8] |= (unsigned char)((half >> bit % 64 & 1) << at % 8);
    }
  __lakatos_taken[slot] = row - __lakatos_first[slot];
}

static void *__lakatos_fill(int slot, void *to, __SIZE_TYPE__ size) {
  unsigned char *bytes = to;
  for (__SIZE_TYPE__ i = 0; i < size; i++) bytes[i] = 0;
  __lakatos_pass(slot, bytes, size);
  return 0;
}

static long long __lakatos_integer(int slot, ...) {
  long long value;
  __lakatos_fill(slot, &value, sizeof value);
  return value;
}

static unsigned char __lakatos_buffer[__LAKATOS_LARGEST] __attribute__((aligned(64)));

static void *__lakatos_value(int slot, ...) {
  __lakatos_fill(slot, __lakatos_buffer, sizeof __lakatos_buffer);
  return __lakatos_buffer;
}

static void __lakatos_nothing(int slot, ...) {}

static long long __lakatos_same(long long value) { return value; }

/* How large blocks are: `realloc` needs it. No pointer to them is kept, so that they can be lost. */
struct __lakatos_block {
  struct __lakatos_block *before;
  __UINTPTR_TYPE__ start;
  __SIZE_TYPE__ size;
};
static struct __lakatos_block *__lakatos_blocks;

static void *__lakatos_calloc(int slot, __SIZE_TYPE__ count, __SIZE_TYPE__ size) {
  if (size && count > (__SIZE_TYPE__)-1 / size) return 0;
  struct __lakatos_block *block = __lakatos_zeroed(1, sizeof *block);
  char *start = __lakatos_zeroed(1, count * size ? count * size : 1);
  if (!block || !start) __lakatos_end("there is not enough memory", "", 96);
  block->before = __lakatos_blocks;
  block->start = ~(__UINTPTR_TYPE__)start;
  block->size = count * size;
  __lakatos_blocks = block;
  return start;
}

static void *__lakatos_malloc(int slot, __SIZE_TYPE__ size) {
  char *start = __lakatos_calloc(slot, 1, size);
  __lakatos_pass(slot, (unsigned char *)start, size);
  return start;
}

static void *__lakatos_realloc(int slot, void *old, __SIZE_TYPE__ size) {
  if (!old) return __lakatos_malloc(slot, size);
  if (!size) {
    __lakatos_free(old);
    return 0;
  }
  struct __lakatos_block *block = __lakatos_blocks;
  while (block && block->start != ~(__UINTPTR_TYPE__)old) block = block->before;
  __SIZE_TYPE__ kept = !block ? 0 : block->size < size ? block->size : size;
  char *start = __lakatos_malloc(slot, size);
  for (__SIZE_TYPE__ i = 0; i < kept; i++) start[i] = ((char *)old)[i];
  __lakatos_free(old);
  return start;
}

static long long __lakatos_error(int number, ...) {
  int expected = number == __LAKATOS_EXPECTED;
  __lakatos_end(expected ? "violation: " : "another violation: ", __lakatos_errors[number],
                expected ? 99 : 98);
  return 0;
}

static void __lakatos_assert(int number, int fails) {
  if (fails) __lakatos_error(number);
}

/* What the compiler calls for `-fsanitize`; the data begin with the place. */
struct __lakatos_place {
  const char *file;
  unsigned line, column;
};

static void __lakatos_undefined(const char *what, struct __lakatos_place *place) {
  char digits[16];
  int at = sizeof digits;
  unsigned line = place->line;
  digits[--at] = 0;
  do digits[--at] = (char)('0' + line % 10);
  while (line /= 10);
  __lakatos_put("lakatos: ");
  __lakatos_put(what);
  __lakatos_put(" at ");
  __lakatos_put(place->file);
  __lakatos_put(":");
  __lakatos_put(digits + at);
  __lakatos_put("\n");
  __lakatos_exit(99);
}

#define __LAKATOS_HANDLER(name, what)                                              \
  void __lakatos_on_##name(struct __lakatos_place *) __asm__("__ubsan_handle_" #name); \
  void __lakatos_on_##name(struct __lakatos_place *place) { __lakatos_undefined(what, place); }
__LAKATOS_HANDLER(add_overflow, "signed overflow")
__LAKATOS_HANDLER(sub_overflow, "signed overflow")
__LAKATOS_HANDLER(mul_overflow, "signed overflow")
__LAKATOS_HANDLER(negate_overflow, "signed overflow")
__LAKATOS_HANDLER(divrem_overflow, __LAKATOS_DIVISION)
__LAKATOS_HANDLER(out_of_bounds, "index out of bounds")
