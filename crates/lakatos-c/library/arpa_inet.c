// Models of <arpa/inet.h> (POSIX), on a little-endian machine.

// htonl: POSIX.
static unsigned int __lakatos_htonl(unsigned int number)
{
    return __builtin_bswap32(number);
}

// ntohl: POSIX.
static unsigned int __lakatos_ntohl(unsigned int number)
{
    return __builtin_bswap32(number);
}

// htons: POSIX.
static unsigned short __lakatos_htons(unsigned short number)
{
    return __builtin_bswap16(number);
}

// ntohs: POSIX.
static unsigned short __lakatos_ntohs(unsigned short number)
{
    return __builtin_bswap16(number);
}
