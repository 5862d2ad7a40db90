// property: unreach-call
// verdict: false
// inputs: 41
// note: a callee changes a field through a pointer
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct account {
    int balance;
    struct {
        int limit;
    } rules;
};

void pay(struct account *from, int amount) {
    if (from->balance - amount >= -from->rules.limit) from->balance -= amount;
}

int main(void) {
    struct account a = {100, {40}};
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 1000) return 0;
    pay(&a, amount);
    pay(&a, amount);
    if (a.balance == 18) reach_error();
    return 0;
}
