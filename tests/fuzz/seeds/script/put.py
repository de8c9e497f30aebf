class Repro:
    def forward(self, a, b, c, d, e, f):
        return (a, b, c, d, e, f)
def load_args(reader):
    put(reader, 2.5)
    put(reader, True)
    put(reader, 'text')
    put(reader, seeded(7))
    reader.const('fn')
    reader.symint(None)
