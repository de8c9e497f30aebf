class Repro:
    def forward(self, x, y):
        return (x, y)
def load_args(reader):
    buf0 = fill(reader.storage(None, 8), torch.tensor([1.5, -0.0]))
    reader.tensor(buf0, (2,))
    buf1 = fill(reader.storage('ab', 8), torch.rand(2, dtype=torch.float32, generator=seeded(7)))
    reader.tensor(buf1, (2,), storage_offset=0, requires_grad=True, is_leaf=True)
load_args._version = 0
