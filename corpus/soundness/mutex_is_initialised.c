// property: uninitialised-read
// verdict: true
// allowed: unknown
// inputs:
// cause: what initialises an object of the library does not read it
typedef union { char bytes[40]; long align; } pthread_mutex_t;
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&mutex);
    return 0;
}
