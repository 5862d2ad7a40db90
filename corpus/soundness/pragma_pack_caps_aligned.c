// property: unreach-call
// verdict: true
// note: `#pragma pack` caps members that are aligned themselves
extern void reach_error(void);

#pragma pack(push, 2)
struct message { char kind; long value __attribute__((aligned(16))); };
#pragma pack(pop)

int main(void) {
    if (sizeof(struct message) != 2 + sizeof(long)) reach_error();
    return 0;
}
