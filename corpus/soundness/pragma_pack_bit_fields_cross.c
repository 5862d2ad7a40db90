// property: unreach-call
// verdict: false
// inputs:
// note: under `#pragma pack` bit-fields cross the units of their type: the third begins in bit 2 of byte 1
extern void reach_error(void);

#pragma pack(2)
struct flags { unsigned char a : 7; unsigned char b : 3; unsigned char c : 6; };
#pragma pack()
union view { struct flags f; unsigned char byte[2]; };

int main(void) {
    union view v = { .byte = { 0, 0 } };
    v.f.c = 1;
    if (sizeof(struct flags) == 2 && v.byte[1] == 4) reach_error();
    return 0;
}
