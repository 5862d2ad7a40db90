// Models of <string.h> and <strings.h> (C11 7.24, POSIX) as of glibc in the C locale. Functions on
// memory read bytes as unsigned char, functions on strings read them as char.

// memccpy: POSIX.
static void *__lakatos_memccpy(void *destination, const void *source, int character,
    unsigned long size)
{
    const unsigned char *bytes = source;
    unsigned long index = 0;
    while (index < size) {
        if (bytes[index] == (unsigned char) character) {
            __builtin_memcpy(destination, source, index + 1);
            return (char *) destination + index + 1;
        }
        index++;
    }
    __builtin_memcpy(destination, source, size);
    return 0;
}

// mempcpy: glibc. The end of what was copied.
static void *__lakatos_mempcpy(void *destination, const void *source, unsigned long size)
{
    __builtin_memcpy(destination, source, size);
    return (char *) destination + size;
}

// __mempcpy: glibc's other name.
static void *__lakatos___mempcpy(void *destination, const void *source, unsigned long size)
{
    return __lakatos_mempcpy(destination, source, size);
}

// memrchr: glibc. It may read all of the size bytes; the model reads from the end.
static void *__lakatos_memrchr(const void *memory, int character, unsigned long size)
{
    const unsigned char *bytes = memory;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char) character)
            return (void *) (bytes + size);
    }
    return 0;
}

// rawmemchr: glibc. There is such a byte, otherwise the search leaves the object.
static void *__lakatos_rawmemchr(const void *memory, int character)
{
    const unsigned char *bytes = memory;
    while (*bytes != (unsigned char) character)
        bytes++;
    return (void *) bytes;
}

// __rawmemchr: glibc's other name.
static void *__lakatos___rawmemchr(const void *memory, int character)
{
    return __lakatos_rawmemchr(memory, character);
}

// memmem: glibc. The first place of the sought bytes; an empty sequence is found at the start.
static void *__lakatos_memmem(const void *memory, unsigned long size, const void *sought,
    unsigned long length)
{
    const unsigned char *bytes = memory;
    const unsigned char *wanted = sought;
    unsigned long start = 0;
    while (start <= size && length <= size - start) {
        unsigned long matched = 0;
        while (matched < length && bytes[start + matched] == wanted[matched])
            matched++;
        if (matched == length)
            return (void *) (bytes + start);
        start++;
    }
    return 0;
}

// strspn: C11 7.24.5.6.
static unsigned long __lakatos_strspn(const char *text, const char *accept)
{
    unsigned long length = 0;
    while (text[length] != 0) {
        const char *allowed = accept;
        while (*allowed != 0 && *allowed != text[length])
            allowed++;
        if (*allowed == 0)
            return length;
        length++;
    }
    return length;
}

// strcspn: C11 7.24.5.3.
static unsigned long __lakatos_strcspn(const char *text, const char *reject)
{
    unsigned long length = 0;
    while (text[length] != 0) {
        const char *forbidden = reject;
        while (*forbidden != 0) {
            if (*forbidden == text[length])
                return length;
            forbidden++;
        }
        length++;
    }
    return length;
}

// strpbrk: C11 7.24.5.4.
static char *__lakatos_strpbrk(const char *text, const char *accept)
{
    text += __lakatos_strcspn(text, accept);
    if (*text == 0)
        return 0;
    return (char *) text;
}

// strtok_r: POSIX. With glibc the state is written by each call.
static char *__lakatos_strtok_r(char *text, const char *delimiters, char **state)
{
    char *end;
    if (text == 0)
        text = *state;
    text += __lakatos_strspn(text, delimiters);
    if (*text == 0) {
        *state = text;
        return 0;
    }
    end = text + __lakatos_strcspn(text, delimiters);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *state = end;
    return text;
}

// __strtok_r: glibc's other name.
static char *__lakatos___strtok_r(char *text, const char *delimiters, char **state)
{
    return __lakatos_strtok_r(text, delimiters, state);
}

// What strtok has left of its string; null before the first call.
static char *__lakatos_strtok_state;

// strtok: C11 7.24.5.8.
static char *__lakatos_strtok(char *text, const char *delimiters)
{
    return __lakatos_strtok_r(text, delimiters, &__lakatos_strtok_state);
}

// strsep: glibc (4.4BSD).
static char *__lakatos_strsep(char **rest, const char *delimiters)
{
    char *token = *rest;
    char *end;
    if (token == 0)
        return 0;
    end = token + __lakatos_strcspn(token, delimiters);
    if (*end == 0) {
        *rest = 0;
    } else {
        *end = 0;
        *rest = end + 1;
    }
    return token;
}

// stpcpy: POSIX.
static char *__lakatos_stpcpy(char *destination, const char *source)
{
    unsigned long length = __builtin_strlen(source);
    __builtin_memcpy(destination, source, length + 1);
    return destination + length;
}

// __stpcpy: glibc's other name.
static char *__lakatos___stpcpy(char *destination, const char *source)
{
    return __lakatos_stpcpy(destination, source);
}

// stpncpy: POSIX.
static char *__lakatos_stpncpy(char *destination, const char *source, unsigned long size)
{
    unsigned long length = __builtin_strnlen(source, size);
    __builtin_memcpy(destination, source, length);
    __builtin_memset(destination + length, 0, size - length);
    return destination + length;
}

// __stpncpy: glibc's other name.
static char *__lakatos___stpncpy(char *destination, const char *source, unsigned long size)
{
    return __lakatos_stpncpy(destination, source, size);
}

// strchrnul: glibc.
static char *__lakatos_strchrnul(const char *text, int character)
{
    while (*text != 0 && *text != (char) character)
        text++;
    return (char *) text;
}

// strcasecmp: POSIX says only the sign; the difference of the lower-case letters is glibc's.
static int __lakatos_strcasecmp(const char *left, const char *right)
{
    while (1) {
        int one = __lakatos_tolower((unsigned char) *left);
        int other = __lakatos_tolower((unsigned char) *right);
        if (one != other || one == 0)
            return one - other;
        left++;
        right++;
    }
}

// __strcasecmp: glibc's other name.
static int __lakatos___strcasecmp(const char *left, const char *right)
{
    return __lakatos_strcasecmp(left, right);
}

// strcasecmp_l: POSIX; every locale is the C locale.
static int __lakatos_strcasecmp_l(const char *left, const char *right, void *locale)
{
    (void) locale;
    return __lakatos_strcasecmp(left, right);
}

// __strcasecmp_l: glibc's other name.
static int __lakatos___strcasecmp_l(const char *left, const char *right, void *locale)
{
    (void) locale;
    return __lakatos_strcasecmp(left, right);
}

// strncasecmp: POSIX says only the sign; the difference of the lower-case letters is glibc's.
static int __lakatos_strncasecmp(const char *left, const char *right, unsigned long size)
{
    while (size > 0) {
        int one = __lakatos_tolower((unsigned char) *left);
        int other = __lakatos_tolower((unsigned char) *right);
        if (one != other || one == 0)
            return one - other;
        left++;
        right++;
        size--;
    }
    return 0;
}

// strncasecmp_l: POSIX; every locale is the C locale.
static int __lakatos_strncasecmp_l(const char *left, const char *right, unsigned long size,
    void *locale)
{
    (void) locale;
    return __lakatos_strncasecmp(left, right, size);
}

// __strncasecmp_l: glibc's other name.
static int __lakatos___strncasecmp_l(const char *left, const char *right, unsigned long size,
    void *locale)
{
    (void) locale;
    return __lakatos_strncasecmp(left, right, size);
}

// strcasestr: glibc. An empty string is found at the start.
static char *__lakatos_strcasestr(const char *text, const char *sought)
{
    while (1) {
        unsigned long matched = 0;
        while (sought[matched] != 0
               && __lakatos_tolower((unsigned char) text[matched])
                   == __lakatos_tolower((unsigned char) sought[matched]))
            matched++;
        if (sought[matched] == 0)
            return (char *) text;
        if (text[matched] == 0)
            return 0;
        text++;
    }
}

// __strcasestr: glibc's other name.
static char *__lakatos___strcasestr(const char *text, const char *sought)
{
    return __lakatos_strcasestr(text, sought);
}

// strcoll: C11 7.24.4.3. The C locale compares like strcmp.
static int __lakatos_strcoll(const char *left, const char *right)
{
    return __builtin_strcmp(left, right);
}

// strcoll_l: POSIX; every locale is the C locale.
static int __lakatos_strcoll_l(const char *left, const char *right, void *locale)
{
    (void) locale;
    return __builtin_strcmp(left, right);
}

// strxfrm: C11 7.24.4.5. The C locale copies. Where the size is too small, C11 leaves the contents
// of the array indeterminate; as with glibc they are the start of the string, without its end.
static unsigned long __lakatos_strxfrm(char *destination, const char *source, unsigned long size)
{
    unsigned long length = __builtin_strlen(source);
    if (length < size)
        __builtin_memcpy(destination, source, length + 1);
    else
        __builtin_memcpy(destination, source, size);
    return length;
}

// strxfrm_l: POSIX; every locale is the C locale.
static unsigned long __lakatos_strxfrm_l(char *destination, const char *source, unsigned long size,
    void *locale)
{
    (void) locale;
    return __lakatos_strxfrm(destination, source, size);
}

// strdup: POSIX. Null with ENOMEM if there is no memory.
static char *__lakatos_strdup(const char *text)
{
    unsigned long size = __builtin_strlen(text) + 1;
    char *copy = __builtin_malloc(size);
    if (copy == 0) {
        __lakatos_errno_value = 12; // ENOMEM
        return 0;
    }
    __builtin_memcpy(copy, text, size);
    return copy;
}

// __strdup: glibc's other name.
static char *__lakatos___strdup(const char *text)
{
    return __lakatos_strdup(text);
}

// strndup: POSIX. Null with ENOMEM if there is no memory.
static char *__lakatos_strndup(const char *text, unsigned long size)
{
    unsigned long length = __builtin_strnlen(text, size);
    char *copy = __builtin_malloc(length + 1);
    if (copy == 0) {
        __lakatos_errno_value = 12; // ENOMEM
        return 0;
    }
    __builtin_memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

// __strndup: glibc's other name.
static char *__lakatos___strndup(const char *text, unsigned long size)
{
    return __lakatos_strndup(text, size);
}

// strlcpy: glibc 2.38 (OpenBSD).
static unsigned long __lakatos_strlcpy(char *destination, const char *source, unsigned long size)
{
    unsigned long length = __builtin_strlen(source);
    if (length < size) {
        __builtin_memcpy(destination, source, length + 1);
    } else if (size > 0) {
        __builtin_memcpy(destination, source, size - 1);
        destination[size - 1] = 0;
    }
    return length;
}

// strlcat: glibc 2.38 (OpenBSD). Nothing is written if the string does not end within the size.
static unsigned long __lakatos_strlcat(char *destination, const char *source, unsigned long size)
{
    unsigned long start = __builtin_strnlen(destination, size);
    return start + __lakatos_strlcpy(destination + start, source, size - start);
}

// The text of strerror.
static char __lakatos_error_message[64];

// Writes any string that is not empty. No message of glibc is longer than 50 characters.
static char *__lakatos_any_message(char *message)
{
    extern char __lakatos_unknown_char(void);
    extern void __lakatos_assume(int);
    int index = 0;
    while (index < 63) {
        message[index] = __lakatos_unknown_char();
        index++;
    }
    message[63] = 0;
    __lakatos_assume(message[0] != 0);
    return message;
}

// The text of strerror where it has another one for this number.
static char __lakatos_other_message[64];

// strerror: C11 7.24.6.2. Any message; each call may overwrite the one before, which C11 allows and
// glibc does for unknown numbers. Whether two calls give the same pointer is open.
static char *__lakatos_strerror(int number)
{
    extern int __lakatos_unknown_int(void);
    (void) number;
    return __lakatos_any_message(__lakatos_unknown_int() ? __lakatos_error_message
        : __lakatos_other_message);
}

// strerror_l: POSIX; every locale is the C locale.
static char *__lakatos_strerror_l(int number, void *locale)
{
    (void) locale;
    return __lakatos_strerror(number);
}

// The text of strsignal.
static char __lakatos_signal_message[64];

// strsignal: POSIX. Any message, as for strerror.
static char *__lakatos_strsignal(int number)
{
    extern int __lakatos_unknown_int(void);
    (void) number;
    return __lakatos_any_message(__lakatos_unknown_int() ? __lakatos_signal_message
        : __lakatos_other_message);
}

// bcmp: POSIX.1-2001, by memcmp. Only whether it is 0 means something.
static int __lakatos_bcmp(const void *left, const void *right, unsigned long size)
{
    return __builtin_memcmp(left, right, size);
}

// __memcmpeq: what compilers call where only equality matters. Any other number than 0 where they differ.
static int __lakatos___memcmpeq(const void *left, const void *right, unsigned long size)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int difference;
    if (__builtin_memcmp(left, right, size) == 0)
        return 0;
    difference = __lakatos_unknown_int();
    __lakatos_assume(difference != 0);
    return difference;
}

// bcopy: POSIX.1-2001, memmove with the source first.
static void __lakatos_bcopy(const void *source, void *destination, unsigned long size)
{
    __builtin_memmove(destination, source, size);
}

// bzero: POSIX.1-2001.
static void __lakatos_bzero(void *memory, unsigned long size)
{
    __builtin_memset(memory, 0, size);
}

// __bzero: glibc's other name.
static void __lakatos___bzero(void *memory, unsigned long size)
{
    __builtin_memset(memory, 0, size);
}

// explicit_bzero: glibc.
static void __lakatos_explicit_bzero(void *memory, unsigned long size)
{
    __builtin_memset(memory, 0, size);
}

// memset_explicit: C23.
static void *__lakatos_memset_explicit(void *memory, int character, unsigned long size)
{
    return __builtin_memset(memory, character, size);
}

// ffs: POSIX. The lowest bit that is set, counted from 1; 0 if there is none.
static int __lakatos_ffs(int number)
{
    return __builtin_ffs(number);
}

// __ffs: glibc's other name.
static int __lakatos___ffs(int number)
{
    return __lakatos_ffs(number);
}

// ffsl: glibc, POSIX.1-2024.
static int __lakatos_ffsl(long number)
{
    return __builtin_ffsl(number);
}

// ffsll: glibc, POSIX.1-2024.
static int __lakatos_ffsll(long long number)
{
    return __builtin_ffsll(number);
}

// swab: POSIX. Copies pairs of bytes the other way round; as with glibc, a last byte without partner
// is left alone, and nothing is done for a negative size. Overlapping objects are undefined.
static void __lakatos_swab(const void *source, void *destination, long size)
{
    unsigned char *bytes = destination;
    long index = 0;
    if (size < 2)
        return;
    size -= size % 2;
    __builtin_memcpy(destination, source, (unsigned long) size);
    while (index < size) {
        unsigned char first = bytes[index];
        bytes[index] = bytes[index + 1];
        bytes[index + 1] = first;
        index += 2;
    }
}

// __memcpy_chk: glibc's fortified memcpy; room is the size of the destination's object.
static void *__lakatos___memcpy_chk(void *destination, const void *source, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __builtin_memcpy(destination, source, size);
}

// __memmove_chk: glibc's fortified memmove.
static void *__lakatos___memmove_chk(void *destination, const void *source, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __builtin_memmove(destination, source, size);
}

// __memset_chk: glibc's fortified memset.
static void *__lakatos___memset_chk(void *memory, int character, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __builtin_memset(memory, character, size);
}

// __explicit_bzero_chk: glibc's fortified explicit_bzero.
static void __lakatos___explicit_bzero_chk(void *memory, unsigned long size, unsigned long room)
{
    if (room < size)
        __builtin_abort();
    __builtin_memset(memory, 0, size);
}

// __mempcpy_chk: glibc's fortified mempcpy.
static void *__lakatos___mempcpy_chk(void *destination, const void *source, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __lakatos_mempcpy(destination, source, size);
}

// __strcpy_chk: glibc's fortified strcpy.
static char *__lakatos___strcpy_chk(char *destination, const char *source, unsigned long room)
{
    unsigned long length = __builtin_strlen(source);
    if (room <= length)
        __builtin_abort();
    __builtin_memcpy(destination, source, length + 1);
    return destination;
}

// __stpcpy_chk: glibc's fortified stpcpy.
static char *__lakatos___stpcpy_chk(char *destination, const char *source, unsigned long room)
{
    if (room <= __builtin_strlen(source))
        __builtin_abort();
    return __lakatos_stpcpy(destination, source);
}

// __strncpy_chk: glibc's fortified strncpy.
static char *__lakatos___strncpy_chk(char *destination, const char *source, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    __lakatos_stpncpy(destination, source, size);
    return destination;
}

// __stpncpy_chk: glibc's fortified stpncpy.
static char *__lakatos___stpncpy_chk(char *destination, const char *source, unsigned long size,
    unsigned long room)
{
    if (room < size)
        __builtin_abort();
    return __lakatos_stpncpy(destination, source, size);
}

// __strcat_chk: glibc's fortified strcat. glibc may have written before it aborts.
static char *__lakatos___strcat_chk(char *destination, const char *source, unsigned long room)
{
    unsigned long start = __builtin_strnlen(destination, room);
    unsigned long length = __builtin_strlen(source);
    if (room - start <= length)
        __builtin_abort();
    __builtin_memcpy(destination + start, source, length + 1);
    return destination;
}

// __strncat_chk: glibc's fortified strncat. glibc may have written before it aborts.
static char *__lakatos___strncat_chk(char *destination, const char *source, unsigned long size,
    unsigned long room)
{
    unsigned long start = __builtin_strnlen(destination, room);
    unsigned long length = __builtin_strnlen(source, size);
    if (room - start <= length)
        __builtin_abort();
    __builtin_memcpy(destination + start, source, length);
    destination[start + length] = 0;
    return destination;
}

// strerror_r: glibc. The message, in the array if it is not one that the library has; the array may be too small.
static char *__lakatos_strerror_r(int number, char *text, unsigned long size)
{
    extern _Bool __lakatos_unknown_bool(void);
    (void) number;
    if (__lakatos_unknown_bool())
        return __lakatos_any_message(__lakatos_error_message);
    if (size == 1)
        *text = 0;
    else if (size != 0)
        __lakatos_any_text(text, size);
    return text;
}

// __xpg_strerror_r: POSIX's strerror_r in glibc. EINVAL for an unknown number, ERANGE if the array is too small.
static int __lakatos___xpg_strerror_r(int number, char *text, unsigned long size)
{
    extern int __lakatos_unknown_int(void);
    extern void __lakatos_assume(int);
    int result = __lakatos_unknown_int();
    (void) number;
    __lakatos_assume(result == 0 || result == 22 || result == 34);
    if (size == 1)
        *text = 0;
    else if (size != 0)
        __lakatos_any_text(text, size);
    return result;
}

// strverscmp: glibc. Digits compare as numbers, with zeros at their start as fractions. Only the sign is fixed.
static int __lakatos_strverscmp(const char *left, const char *right)
{
    const unsigned char *one = (const unsigned char *) left;
    const unsigned char *other = (const unsigned char *) right;
    unsigned long place = 0, start = 0, end;
    int zeros = 1;
    // The digits at the end of what is equal begin at the start.
    while (one[place] == other[place]) {
        if (one[place] == 0)
            return 0;
        if (one[place] < '0' || one[place] > '9') {
            start = place + 1;
            zeros = 1;
        } else if (one[place] != '0') {
            zeros = 0;
        }
        place++;
    }
    if (one[start] >= '1' && one[start] <= '9' && other[start] >= '1' && other[start] <= '9') {
        // The number with more digits is larger.
        end = place;
        while (one[end] >= '0' && one[end] <= '9') {
            if (other[end] < '0' || other[end] > '9')
                return __lakatos_any_of_sign(1);
            end++;
        }
        if (other[end] >= '0' && other[end] <= '9')
            return __lakatos_any_of_sign(-1);
    } else if (zeros && start < place) {
        int one_is_digit = one[place] >= '0' && one[place] <= '9';
        int other_is_digit = other[place] >= '0' && other[place] <= '9';
        // More zeros behind the point are less.
        if (one_is_digit != other_is_digit)
            return __lakatos_any_of_sign(one_is_digit ? -1 : 1);
    }
    return __lakatos_any_of_sign(one[place] < other[place] ? -1 : 1);
}

// __strverscmp: glibc's other name.
static int __lakatos___strverscmp(const char *left, const char *right)
{
    return __lakatos_strverscmp(left, right);
}

// memfrob: glibc. Every byte is combined with 42.
static void *__lakatos_memfrob(void *memory, unsigned long size)
{
    unsigned char *bytes = memory;
    unsigned long index = 0;
    while (index < size) {
        bytes[index] ^= 42;
        index++;
    }
    return memory;
}

// basename: glibc's own, what is behind the last slash.
static char *__lakatos_basename(const char *path)
{
    char *slash = __builtin_strrchr(path, '/');
    return slash != 0 ? slash + 1 : (char *) path;
}

// Any string that is not empty, with its end in so many bytes (at least 2).
static char *__lakatos_any_text(char *text, unsigned long room)
{
    extern char __lakatos_unknown_char(void);
    extern _Bool __lakatos_unknown_bool(void);
    extern void __lakatos_assume(int);
    unsigned long length = 0;
    do {
        char character = __lakatos_unknown_char();
        __lakatos_assume(character != 0);
        text[length] = character;
        length++;
    } while (length < room - 1 && __lakatos_unknown_bool());
    text[length] = 0;
    return text;
}
