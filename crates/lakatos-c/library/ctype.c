// Models of <ctype.h> (C11 7.4, POSIX) as of glibc in the C locale, where letters are those of ASCII.
// An argument that is neither EOF nor an unsigned char is undefined (C11 7.4p1). glibc looks it up in
// tables for -128 to 255, so the models take these numbers for defined.

// What the functions of classification return if the answer is yes: C11 7.4.1 says "nonzero". The
// models return the number that glibc returns on a little-endian machine: its bit in the table.

// Stands for the table in which glibc looks a character up.
static const unsigned char __lakatos_character_table[384];

// The look-up leaves the table where the number is not one of -128 to 255. Here only such a look-up
// happens, the classes of the others are computed.
static void __lakatos_look_up(int character)
{
    if (character < -128 || character > 255) {
        unsigned char outside = __lakatos_character_table[character + 128];
        (void) outside;
    }
}

// isalnum: C11 7.4.1.1.
static int __lakatos_isalnum(int character)
{
    __lakatos_look_up(character);
    if ((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z')
        || (character >= '0' && character <= '9'))
        return 8;
    return 0;
}

// isalpha: C11 7.4.1.2.
static int __lakatos_isalpha(int character)
{
    __lakatos_look_up(character);
    if ((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z'))
        return 0x400;
    return 0;
}

// isblank: C11 7.4.1.3.
static int __lakatos_isblank(int character)
{
    __lakatos_look_up(character);
    if (character == ' ' || character == '\t')
        return 1;
    return 0;
}

// iscntrl: C11 7.4.1.4.
static int __lakatos_iscntrl(int character)
{
    __lakatos_look_up(character);
    if ((character >= 0 && character < 32) || character == 127)
        return 2;
    return 0;
}

// isdigit: C11 7.4.1.5.
static int __lakatos_isdigit(int character)
{
    __lakatos_look_up(character);
    if (character >= '0' && character <= '9')
        return 0x800;
    return 0;
}

// isgraph: C11 7.4.1.6.
static int __lakatos_isgraph(int character)
{
    __lakatos_look_up(character);
    if (character > 32 && character < 127)
        return 0x8000;
    return 0;
}

// islower: C11 7.4.1.7.
static int __lakatos_islower(int character)
{
    __lakatos_look_up(character);
    if (character >= 'a' && character <= 'z')
        return 0x200;
    return 0;
}

// isprint: C11 7.4.1.8.
static int __lakatos_isprint(int character)
{
    __lakatos_look_up(character);
    if (character >= 32 && character < 127)
        return 0x4000;
    return 0;
}

// ispunct: C11 7.4.1.9.
static int __lakatos_ispunct(int character)
{
    __lakatos_look_up(character);
    if ((character >= '!' && character <= '/') || (character >= ':' && character <= '@')
        || (character >= '[' && character <= '`') || (character >= '{' && character <= '~'))
        return 4;
    return 0;
}

// isspace: C11 7.4.1.10.
static int __lakatos_isspace(int character)
{
    __lakatos_look_up(character);
    if (character == ' ' || (character >= '\t' && character <= '\r'))
        return 0x2000;
    return 0;
}

// isupper: C11 7.4.1.11.
static int __lakatos_isupper(int character)
{
    __lakatos_look_up(character);
    if (character >= 'A' && character <= 'Z')
        return 0x100;
    return 0;
}

// isxdigit: C11 7.4.1.12.
static int __lakatos_isxdigit(int character)
{
    __lakatos_look_up(character);
    if ((character >= '0' && character <= '9') || (character >= 'A' && character <= 'F')
        || (character >= 'a' && character <= 'f'))
        return 0x1000;
    return 0;
}

// isascii: POSIX.
static int __lakatos_isascii(int character)
{
    return character >= 0 && character < 128;
}

// toascii: POSIX.
static int __lakatos_toascii(int character)
{
    return character & 127;
}

// tolower: C11 7.4.2.1. Every int is taken for defined, as by glibc: it returns all but letters as they
// are. (glibc adds 256 to those from -128 to -2, which C11 leaves undefined.)
static int __lakatos_tolower(int character)
{
    if (character >= 'A' && character <= 'Z')
        return character + ('a' - 'A');
    return character;
}

// toupper: C11 7.4.2.2. Every int is taken for defined, see tolower.
static int __lakatos_toupper(int character)
{
    if (character >= 'a' && character <= 'z')
        return character - ('a' - 'A');
    return character;
}

// _tolower: POSIX; undefined unless the argument is an upper-case letter. glibc looks it up.
static int __lakatos__tolower(int character)
{
    return __lakatos_tolower(character);
}

// _toupper: POSIX; undefined unless the argument is a lower-case letter. glibc looks it up.
static int __lakatos__toupper(int character)
{
    return __lakatos_toupper(character);
}

// isalnum_l: POSIX; every locale is the C locale.
static int __lakatos_isalnum_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isalnum(character);
}

// __isalnum_l: glibc's name for isalnum_l.
static int __lakatos___isalnum_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isalnum(character);
}

// isalpha_l: POSIX; every locale is the C locale.
static int __lakatos_isalpha_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isalpha(character);
}

// __isalpha_l: glibc's name for isalpha_l.
static int __lakatos___isalpha_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isalpha(character);
}

// isblank_l: POSIX; every locale is the C locale.
static int __lakatos_isblank_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isblank(character);
}

// __isblank_l: glibc's name for isblank_l.
static int __lakatos___isblank_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isblank(character);
}

// iscntrl_l: POSIX; every locale is the C locale.
static int __lakatos_iscntrl_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_iscntrl(character);
}

// __iscntrl_l: glibc's name for iscntrl_l.
static int __lakatos___iscntrl_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_iscntrl(character);
}

// isdigit_l: POSIX; every locale is the C locale.
static int __lakatos_isdigit_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isdigit(character);
}

// __isdigit_l: glibc's name for isdigit_l.
static int __lakatos___isdigit_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isdigit(character);
}

// isgraph_l: POSIX; every locale is the C locale.
static int __lakatos_isgraph_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isgraph(character);
}

// __isgraph_l: glibc's name for isgraph_l.
static int __lakatos___isgraph_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isgraph(character);
}

// islower_l: POSIX; every locale is the C locale.
static int __lakatos_islower_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_islower(character);
}

// __islower_l: glibc's name for islower_l.
static int __lakatos___islower_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_islower(character);
}

// isprint_l: POSIX; every locale is the C locale.
static int __lakatos_isprint_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isprint(character);
}

// __isprint_l: glibc's name for isprint_l.
static int __lakatos___isprint_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isprint(character);
}

// ispunct_l: POSIX; every locale is the C locale.
static int __lakatos_ispunct_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_ispunct(character);
}

// __ispunct_l: glibc's name for ispunct_l.
static int __lakatos___ispunct_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_ispunct(character);
}

// isspace_l: POSIX; every locale is the C locale.
static int __lakatos_isspace_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isspace(character);
}

// __isspace_l: glibc's name for isspace_l.
static int __lakatos___isspace_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isspace(character);
}

// isupper_l: POSIX; every locale is the C locale.
static int __lakatos_isupper_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isupper(character);
}

// __isupper_l: glibc's name for isupper_l.
static int __lakatos___isupper_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isupper(character);
}

// isxdigit_l: POSIX; every locale is the C locale.
static int __lakatos_isxdigit_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isxdigit(character);
}

// __isxdigit_l: glibc's name for isxdigit_l.
static int __lakatos___isxdigit_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isxdigit(character);
}

// __isascii_l: glibc's name for isascii_l.
static int __lakatos___isascii_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_isascii(character);
}

// __toascii_l: glibc's name for toascii_l.
static int __lakatos___toascii_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_toascii(character);
}

// tolower_l: POSIX; every locale is the C locale.
static int __lakatos_tolower_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_tolower(character);
}

// __tolower_l: glibc's name for tolower_l.
static int __lakatos___tolower_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_tolower(character);
}

// toupper_l: POSIX; every locale is the C locale.
static int __lakatos_toupper_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_toupper(character);
}

// __toupper_l: glibc's name for toupper_l.
static int __lakatos___toupper_l(int character, void *locale)
{
    (void) locale;
    return __lakatos_toupper(character);
}

// The table behind glibc's macros: the class bits of the characters -128 to 255.
static const unsigned short __lakatos_class_table[384] = {
    [128 ... 136] = 0x2,
    [137] = 0x2003,
    [138 ... 141] = 0x2002,
    [142 ... 159] = 0x2,
    [160] = 0x6001,
    [161 ... 175] = 0xc004,
    [176 ... 185] = 0xd808,
    [186 ... 192] = 0xc004,
    [193 ... 198] = 0xd508,
    [199 ... 218] = 0xc508,
    [219 ... 224] = 0xc004,
    [225 ... 230] = 0xd608,
    [231 ... 250] = 0xc608,
    [251 ... 254] = 0xc004,
    [255] = 0x2,
};

// Points to the entry of character 0.
static const unsigned short *__lakatos_class_pointer =
    __lakatos_class_table + 128;

// __ctype_b_loc: glibc (Linux Standard Base), behind its macros for the functions above.
static const unsigned short **__lakatos___ctype_b_loc(void)
{
    return &__lakatos_class_pointer;
}

// glibc's table for tolower of the characters -128 to 255: the first 127 are those from 128 on.
static const int __lakatos_tolower_table[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146,
    147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
    166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
    185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203,
    204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222,
    223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
    242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8,
    9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
    33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
    57, 58, 59, 60, 61, 62, 63, 64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109,
    110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95, 96, 97, 98,
    99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117,
    118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136,
    137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155,
    156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174,
    175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193,
    194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212,
    213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231,
    232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250,
    251, 252, 253, 254, 255,
};

// Points to the entry of character 0.
static const int *__lakatos_tolower_pointer =
    __lakatos_tolower_table + 128;

// __ctype_tolower_loc: glibc (Linux Standard Base).
static const int **__lakatos___ctype_tolower_loc(void)
{
    return &__lakatos_tolower_pointer;
}

// glibc's table for toupper of the characters -128 to 255: the first 127 are those from 128 on.
static const int __lakatos_toupper_table[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146,
    147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
    166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
    185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203,
    204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222,
    223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
    242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8,
    9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
    33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
    57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80,
    81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 65, 66, 67, 68, 69, 70, 71, 72,
    73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146,
    147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
    166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
    185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203,
    204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222,
    223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
    242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

// Points to the entry of character 0.
static const int *__lakatos_toupper_pointer =
    __lakatos_toupper_table + 128;

// __ctype_toupper_loc: glibc (Linux Standard Base).
static const int **__lakatos___ctype_toupper_loc(void)
{
    return &__lakatos_toupper_pointer;
}

// __ctype_get_mb_cur_max: glibc, behind MB_CUR_MAX (C11 7.22p3). It is 1 in the C locale.
static unsigned long __lakatos___ctype_get_mb_cur_max(void)
{
    return 1;
}
