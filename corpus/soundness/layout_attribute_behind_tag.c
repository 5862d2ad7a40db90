// property: unreach-call
// verdict: true
// note: an attribute behind a tag belongs to the member, not to the record
extern void reach_error(void);

struct pair { short a, b; };
struct outer { char c; struct pair __attribute__((packed)) p; };

int main(void) {
    if (sizeof(struct pair) != 4 || sizeof(struct outer) != 5) reach_error();
    return 0;
}
