class Repro:
    def forward(self, n, x, y):
        return (x, y)
def load_args(reader):
    reader.symint(3)
    buf0 = reader.storage(None, 8*s0)
    reader.tensor(buf0, (2, s1))
    buf1 = reader.storage(None, 4*s2)
    reader.tensor(buf1, (s0, 2), (1, s0))
