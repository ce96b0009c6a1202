typedef A { B b };
typedef B { byte x };
typedef C { C c };
typedef D { byt x };
typedef E { x };
init {
    skip
}
