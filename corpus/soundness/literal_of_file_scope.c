// property: unreach-call
// verdict: true
// inputs:
// cause: a compound literal whose value initialises an object of file scope has its value before
extern void reach_error(void);
struct row { const int *cells; int length; };

struct row one = (struct row){(int[]){7, 8}, 2};
struct row two[2] = {{(int[]){1}, 1}, (struct row){(int[]){5, 6, 9}, 3}};
static int *pointer = &(int){4};

int main(void) {
    if (one.length != 2 || one.cells[1] != 8) reach_error();
    if (two[1].length != 3 || two[1].cells[2] != 9 || two[0].cells[0] != 1) reach_error();
    if (*pointer != 4) reach_error();
    return 0;
}
