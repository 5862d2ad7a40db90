// What sprintf and snprintf put into their target (C11 7.21.6.1), piece by piece: the front-end calls
// these functions for each directive of a format. At most room bytes are written, one of them the null
// character at the end; count is what would have been written so far, were there room. Flags are 1 for
// `-`, 2 for `0`, 4 for `#`, 8 for `+` and 16 for a blank.

// One character.
static unsigned long __lakatos_put_byte(char *target, unsigned long room, unsigned long count,
    int character)
{
    if (count + 1 < room)
        target[count] = (char) character;
    return count + 1;
}

// The same character so many times.
static unsigned long __lakatos_put_padding(char *target, unsigned long room, unsigned long count,
    int character, int number)
{
    while (number > 0) {
        count = __lakatos_put_byte(target, room, count, character);
        number--;
    }
    return count;
}

// `%c`.
static unsigned long __lakatos_put_character(char *target, unsigned long room, unsigned long count,
    int character, int flags, int width)
{
    int left = width < 0 || (flags & 1) != 0;
    int padding = (width < 0 ? -width : width) - 1;
    if (!left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    count = __lakatos_put_byte(target, room, count, (unsigned char) character);
    if (left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    return count;
}

// `%s`; a negative precision is none.
static unsigned long __lakatos_put_string(char *target, unsigned long room, unsigned long count,
    const char *text, int flags, int width, int precision)
{
    int left = width < 0 || (flags & 1) != 0;
    int length = 0;
    int padding;
    int index = 0;
    while ((precision < 0 || length < precision) && text[length] != 0)
        length++;
    padding = (width < 0 ? -width : width) - length;
    if (!left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    while (index < length) {
        count = __lakatos_put_byte(target, room, count, text[index]);
        index++;
    }
    if (left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    return count;
}

// The digits of a number behind a prefix; a negative precision is none.
static unsigned long __lakatos_put_digits(char *target, unsigned long room, unsigned long count,
    unsigned long long number, unsigned int base, int upper, const char *prefix, int flags, int width,
    int precision)
{
    char digits[24];
    int left = width < 0 || (flags & 1) != 0;
    int length = 0;
    int zeros;
    int padding = width < 0 ? -width : width;
    while (number != 0) {
        int digit = (int) (number % base);
        digits[length] = (char) (digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
        number /= base;
        length++;
    }
    zeros = (precision < 0 ? 1 : precision) - length;
    if (base == 8 && (flags & 4) != 0 && zeros <= 0)
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    padding -= (int) __builtin_strlen(prefix) + zeros + length;
    if ((flags & 2) != 0 && !left && precision < 0 && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    while (*prefix != 0) {
        count = __lakatos_put_byte(target, room, count, *prefix);
        prefix++;
    }
    count = __lakatos_put_padding(target, room, count, '0', zeros);
    while (length > 0) {
        length--;
        count = __lakatos_put_byte(target, room, count, digits[length]);
    }
    if (left)
        count = __lakatos_put_padding(target, room, count, ' ', padding);
    return count;
}

// `%d` and `%i`.
static unsigned long __lakatos_put_signed(char *target, unsigned long room, unsigned long count,
    long long number, int flags, int width, int precision)
{
    unsigned long long magnitude = (unsigned long long) number;
    const char *prefix = (flags & 8) != 0 ? "+" : (flags & 16) != 0 ? " " : "";
    if (number < 0) {
        magnitude = 0 - magnitude;
        prefix = "-";
    }
    return __lakatos_put_digits(target, room, count, magnitude, 10, 0, prefix, flags, width, precision);
}

// `%u`, `%x`, `%X` and `%o`.
static unsigned long __lakatos_put_unsigned(char *target, unsigned long room, unsigned long count,
    unsigned long long number, unsigned int base, int upper, int flags, int width, int precision)
{
    const char *prefix = "";
    if (base == 16 && (flags & 4) != 0 && number != 0)
        prefix = upper ? "0X" : "0x";
    return __lakatos_put_digits(target, room, count, number, base, upper, prefix, flags, width,
        precision);
}

// `%s` of what goes to a stream; a negative precision is none.
static void __lakatos_read_string(const char *text, int precision)
{
    if (precision < 0)
        (void) __builtin_strlen(text);
    else
        (void) __builtin_strnlen(text, (unsigned long) precision);
}

// What a function gives that writes to a stream: how many characters that were, or a negative number.
static int __lakatos_written(void)
{
    extern int __lakatos_unknown_int(void);
    return __lakatos_unknown_int();
}

// The null character at the end; the result of the function. More than an int can count is an error.
static int __lakatos_put_end(char *target, unsigned long room, unsigned long count)
{
    if (room > 0)
        target[count < room ? count : room - 1] = 0;
    if (count > 2147483647) {
        __lakatos_errno_value = 75; // EOVERFLOW
        return -1;
    }
    return (int) count;
}
