#undef linux
#undef unix
#undef i386
#define inline
#define __inline
#define __inline__
#define main __lakatos_main

static long long __lakatos_integer(int slot, ...);
static void *__lakatos_value(int slot, ...);
static void __lakatos_nothing(int slot, ...);
static long long __lakatos_same(long long value);
static void *__lakatos_fill(int slot, void *to, __SIZE_TYPE__ size);
static void *__lakatos_malloc(int slot, __SIZE_TYPE__ size);
static void *__lakatos_calloc(int slot, __SIZE_TYPE__ count, __SIZE_TYPE__ size);
static void *__lakatos_realloc(int slot, void *old, __SIZE_TYPE__ size);
static long long __lakatos_error(int number, ...);
static void __lakatos_assert(int number, int fails);
