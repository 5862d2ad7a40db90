// property: no-overflow
// verdict: true
// inputs:
// cause: arguments of main that are not read, and a number of them that is compared only
static int depth(int n) {
    return n < 0 ? 2147483647 : 7;
}
int main(int n, char **values) {
    return depth(n) + 1;
}
