// property: unreach-call
// verdict: true
// note: objects of static storage start as zero, as far as they are not initialised
extern void reach_error(void);

int scalar;
int array[4] = {1, [2] = 3};
struct {
    int *pointer;
    short tail[3];
} record = {.tail = {7}};

int main(void) {
    static int local;
    if (scalar || local || record.pointer || record.tail[2]) reach_error();
    if (array[0] != 1 || array[1] || array[2] != 3 || array[3]) reach_error();
    if (record.tail[0] != 7 || record.tail[1]) reach_error();
    return 0;
}
