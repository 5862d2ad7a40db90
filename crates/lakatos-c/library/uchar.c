// Models of <uchar.h> (C11 7.28). In the C locale up to glibc 2.36 there are the characters 0 to 127.

// mbrtoc32: C11 7.28.1.3.
static unsigned long __lakatos_mbrtoc32(unsigned int *character, const char *text, unsigned long size,
    void *state)
{
    return __lakatos_mbrtowc((int *) character, text, size, state);
}

// mbrtoc16: C11 7.28.1.1.
static unsigned long __lakatos_mbrtoc16(unsigned short *character, const char *text, unsigned long size,
    void *state)
{
    int wide = 0;
    unsigned long result = __lakatos_mbrtowc(&wide, text, size, state);
    if (character != 0 && text != 0 && result <= 1)
        *character = (unsigned short) wide;
    return result;
}

// c32rtomb: C11 7.28.1.4.
static unsigned long __lakatos_c32rtomb(char *text, unsigned int character, void *state)
{
    return __lakatos_wcrtomb(text, (int) character, state);
}
