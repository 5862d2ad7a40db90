// Models of what <pthread.h> has for programs with one thread (POSIX). A function that starts a thread has no
// model, so nothing here ever waits for another thread. Whether an operation succeeds is not known.

// An object of the library is there.
static int __lakatos_synchronise(const void *object)
{
    extern int __lakatos_unknown_int(void);
    unsigned char first = *(const unsigned char *) object;
    (void) first;
    return __lakatos_unknown_int();
}

// pthread_mutex_lock: POSIX.
static int __lakatos_pthread_mutex_lock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutex_trylock: POSIX.
static int __lakatos_pthread_mutex_trylock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutex_unlock: POSIX.
static int __lakatos_pthread_mutex_unlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutex_destroy: POSIX.
static int __lakatos_pthread_mutex_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutexattr_init: POSIX.
static int __lakatos_pthread_mutexattr_init(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutexattr_destroy: POSIX.
static int __lakatos_pthread_mutexattr_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_spin_lock: POSIX.
static int __lakatos_pthread_spin_lock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_spin_trylock: POSIX.
static int __lakatos_pthread_spin_trylock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_spin_unlock: POSIX.
static int __lakatos_pthread_spin_unlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_spin_destroy: POSIX.
static int __lakatos_pthread_spin_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_rdlock: POSIX.
static int __lakatos_pthread_rwlock_rdlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_tryrdlock: POSIX.
static int __lakatos_pthread_rwlock_tryrdlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_wrlock: POSIX.
static int __lakatos_pthread_rwlock_wrlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_trywrlock: POSIX.
static int __lakatos_pthread_rwlock_trywrlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_unlock: POSIX.
static int __lakatos_pthread_rwlock_unlock(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_rwlock_destroy: POSIX.
static int __lakatos_pthread_rwlock_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_cond_signal: POSIX.
static int __lakatos_pthread_cond_signal(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_cond_broadcast: POSIX.
static int __lakatos_pthread_cond_broadcast(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_cond_destroy: POSIX.
static int __lakatos_pthread_cond_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_attr_init: POSIX.
static int __lakatos_pthread_attr_init(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_attr_destroy: POSIX.
static int __lakatos_pthread_attr_destroy(void *object)
{
    return __lakatos_synchronise(object);
}

// pthread_mutex_init: POSIX. The attributes may be null.
static int __lakatos_pthread_mutex_init(void *object, const void *attributes)
{
    (void) attributes;
    return __lakatos_synchronise(object);
}

// pthread_rwlock_init: POSIX. The attributes may be null.
static int __lakatos_pthread_rwlock_init(void *object, const void *attributes)
{
    (void) attributes;
    return __lakatos_synchronise(object);
}

// pthread_cond_init: POSIX. The attributes may be null.
static int __lakatos_pthread_cond_init(void *object, const void *attributes)
{
    (void) attributes;
    return __lakatos_synchronise(object);
}

// pthread_spin_init: POSIX.
static int __lakatos_pthread_spin_init(void *object, int kind)
{
    (void) kind;
    return __lakatos_synchronise(object);
}

// pthread_mutexattr_settype: POSIX.
static int __lakatos_pthread_mutexattr_settype(void *object, int kind)
{
    (void) kind;
    return __lakatos_synchronise(object);
}

// pthread_attr_setdetachstate: POSIX.
static int __lakatos_pthread_attr_setdetachstate(void *object, int kind)
{
    (void) kind;
    return __lakatos_synchronise(object);
}

// pthread_once: POSIX. What the control holds when it is done is glibc's choice.
static int __lakatos_pthread_once(int *control, void (*routine)(void))
{
    if (*control == 0) {
        *control = 2;
        routine();
    }
    return 0;
}
