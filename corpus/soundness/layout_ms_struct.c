// property: unreach-call
// verdict: true
// note: `ms_struct`: bit-fields of types of different sizes share no unit
extern void reach_error(void);

struct __attribute__((ms_struct)) mixed { short a : 3; char b : 2; int c : 9; int d : 9; };

int main(void) {
    if (sizeof(struct mixed) != 8) reach_error();
    return 0;
}
