// property: array-bounds
// verdict: false
// cause: an attribute behind the type of the elements makes a vector of what a pointer points to
extern void reach_error(void);

static int __attribute__((vector_size(16))) four = {1, 2, 3, 4}, *pointer = &four;

int main(void) {
    int i = 0;
    while ((*pointer)[i] != 5) i++;
    return i;
}
