// A bug that hides behind many iterations.
//
//   lakatos verify examples/deep_bug.c
//
// should answer: refuted. The checksum wraps around to the forbidden value only in iteration
// 20,165, so exploring the loop step by step takes a long time; solving for the number of
// iterations does not. The program has no inputs, so
//
//   lakatos run examples/deep_bug.c
//
// shows the failure today.

extern void reach_error(void);

int main(void) {
    unsigned short checksum = 0;
    int i = 0;
    while (i < 50000) {
        i++;
        checksum += 13;
        if (checksum == 1) reach_error();
    }
    return 0;
}
