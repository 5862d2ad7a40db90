// property: unreach-call
// verdict: true
// note: `_Pragma` in text without directives, a labelled push, and a pop to it
extern void reach_error(void);

_Pragma("pack(push, outer, 1)")
struct one { char c; int n; };
_Pragma("pack(push, 2)") struct two { char c; int n; };
_Pragma("pack(pop, outer)")
struct plain { char c; int n; };

int main(void) {
    if (sizeof(struct one) != 5 || sizeof(struct two) != 6 || sizeof(struct plain) != 8) reach_error();
    return 0;
}
