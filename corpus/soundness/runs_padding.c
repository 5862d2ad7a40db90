// property: unreach-call
// verdict: false
// allowed: unknown
// cause: padding of an initialised structure has any value
extern void reach_error(void);
struct pair { char first; long second; };
int main(void) {
    struct pair p = {1, 2};
    unsigned char *bytes = (unsigned char *)&p;
    for (int i = 1; i < 8; i++)
        if (bytes[i])
            reach_error();
    return 0;
}
