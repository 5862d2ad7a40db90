// property: unreach-call
// verdict: true
// note: `[[gnu::packed]]` means the same as `__attribute__((packed))`
extern void reach_error(void);

struct [[gnu::packed]] header { char kind; int length; };

[[gnu::noinline]] static int size(void) { return sizeof(struct header); }

int main(void) {
    [[maybe_unused]] int n = size();
    if (n != 5) reach_error();
    return 0;
}
