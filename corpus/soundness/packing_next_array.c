// property: unreach-call
// verdict: true
// inputs:
// cause: an array of packed records
extern void reach_error(void);
#pragma pack(push, 1)
struct entry { char key; long long value; };
#pragma pack(pop)
struct plain { char key; long long value; };
int main(void) {
    if (sizeof(struct entry[4]) != 36 || sizeof(struct plain[4]) != 64)
        reach_error();
    return 0;
}
