chan a = [2] of byte;
chan b = [2] { byte };
chan c = of { byte };
chan d = [2] of { unsigned };
chan e = [300] of { byte };
chan f = [1] of { bytes };
init {
    a!1
}
