/* What the tests of library functions are made of. Included before the models, so it includes nothing. */

enum { MEMORY_SIZE = 8192, OF_LIBC = 1, OF_MODEL = 2 };

/* Memory in which the arguments point, and the copies that the library and the model work on. */
extern unsigned char memory[3][MEMORY_SIZE];

/* One function under test. */
struct row {
    const char *name;
    void *libc;
    void (*make_arguments)(void);
    void (*call_libc)(void);
    void (*call_model)(void);
    int (*is_same)(void);
    void (*show)(void);
    void (*add_candidates)(void);
};
extern const struct row rows[];
extern const unsigned long row_count;

/* Where __lakatos_assume goes when it does not hold. */
extern void *abandoned[5];

/* A pointer into the memory of arguments, in one of its copies. */
void *relocate(int copy, const void *pointer);
#define POINTER(x) _Generic((x), void *: (x), default: (void *) 0)
#define IN(copy, x) _Generic((x), void *: relocate(copy, POINTER(x)), default: (x))

int same_integer(long long left, long long right);
int same_floating(long double left, long double right);
int same_text(const char *left, const char *right);
int same_wide_text(const int *left, const int *right);
int same_pointer(const void *left, const void *right);
#define SAME(l, r)                                                                                 \
    _Generic((l), float: same_floating, double: same_floating, long double: same_floating,         \
        char *: same_text, const char *: same_text, int *: same_wide_text,                         \
        const int *: same_wide_text, void *: same_pointer, default: same_integer)(l, r)

void show_integer(long long value);
void show_floating(long double value);
void show_pointer(const void *value);
#define SHOW(x)                                                                                    \
    _Generic((x), float: show_floating, double: show_floating, long double: show_floating,         \
        char *: show_pointer, const char *: show_pointer, int *: show_pointer,                     \
        const int *: show_pointer, void *: show_pointer,                                           \
        int (*)(const void *, const void *): show_function,                                        \
        int (*)(const void *, const void *, void *): show_function_3, default: show_integer)(x)
void show_function(int (*function)(const void *, const void *));
void show_function_3(int (*function)(const void *, const void *, void *));

/* What a choice of the model may be: the library's result is the first candidate. */
void candidate_integer(long long value);
void candidate_floating(long double value);
void candidate_pointer(const void *value);
#define CANDIDATE(x)                                                                               \
    _Generic((x), float: candidate_floating, double: candidate_floating,                           \
        long double: candidate_floating, char *: candidate_pointer,                                \
        const char *: candidate_pointer, int *: candidate_pointer, const int *: candidate_pointer, \
        void *: candidate_pointer, default: candidate_integer)(x)

/* Arguments; library.txt says what each is. */
void *any_text(void);
void *any_texts(void);
void *any_number(void);
void *any_space(void);
void *any_bytes(void);
void *any_wide_text(void);
void *any_wide_number(void);
void *any_wide_space(void);
void *any_nowhere(void);
void *any_end(void);
void *any_place(void);
void *any_cursor(void);
void *any_out(void);
void *any_path(void);
void *any_class(void);
void *any_locale(void);
void *any_ints(void);
void *any_sorted_ints(void);
void *any_int_place(void);
void *any_count_place(void);
void *any_seconds(void);
void *any_calendar(void);
void *any_moment(void);
int (*any_order(void))(const void *, const void *);
int (*any_order_3(void))(const void *, const void *, void *);
unsigned long any_size(void);
unsigned long any_few(void);
unsigned long any_alignment(void);
int any_byte(void);
int any_character(void);
int any_wide_character(void);
int any_base(void);
int any_zero(void);
int any_four(void);
int any_hundred(void);
int any_int(void);
int any_exponent(void);
unsigned int any_uint(void);
long any_long(void);
unsigned long any_ulong(void);
long long any_longlong(void);
float any_float(void);
double any_double(void);
long double any_long_double(void);
