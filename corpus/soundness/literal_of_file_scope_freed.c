// property: valid-deref
// verdict: false
// inputs:
// cause: the value of a compound literal of file scope was taken before it was there: a length of 0
struct table { int length; };
static struct table table = (struct table){4};
static int cells[4];

int main(void) {
    int i = 0, *cell = cells;
    while (i < table.length + 1) cell[i++] = 1;
    return 0;
}
