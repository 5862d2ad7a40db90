// property: no-overflow
// verdict: false
// inputs:
// oracle: gcc
// cause: elements of vectors are not promoted: 127 + 1 overflows a signed char
typedef signed char bytes __attribute__((vector_size(16)));

int main(void) {
    bytes a = {127}, b = {1};
    a = a + b;
    return a[1];
}
