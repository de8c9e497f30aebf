class Repro(torch.nn.Module):
    def forward(self, x, bits):
        add = torch.ops.aten.add.Tensor(x, bits)
        return (add,)


def load_args(reader):
    buf0 = fill(reader.storage(None, 8), torch.tensor([0.5, 1.0], dtype=torch.float32))
    reader.tensor(buf0, (2,), is_leaf=True)  # x
    reader.tensor(buf0, (2,), dtype=torch.int32, is_leaf=True)  # bits
load_args._version = 0
