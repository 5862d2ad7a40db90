// property: array-bounds
// verdict: true
// note: two dimensions, both within their lengths
int main(void) {
  int rows = 2, columns = 3;
  int grid[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) grid[i][j] = i + j;
  return 0;
}
