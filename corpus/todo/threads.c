// property: unreach-call
// verdict: false
// note: two threads race on a global; Lakatos reasons about sequential programs
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *id, const void *attributes, void *(*run)(void *), void *arg);
extern int pthread_join(pthread_t id, void **result);
extern void reach_error(void);

int shared;

void *worker(void *arg) {
    int seen = shared;
    shared = seen + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (shared != 2) reach_error();
    return 0;
}
