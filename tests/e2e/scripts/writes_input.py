class Repro(torch.nn.Module):
    def forward(self, x, y):
        add_ = torch.ops.aten.add_.Tensor(x, 1)
        mul = torch.ops.aten.mul.Tensor(x, y)
        return (mul,)


def load_args(reader):
    buf0 = fill(reader.storage(None, 8), torch.tensor([0.5, 1.0], dtype=torch.float32))
    reader.tensor(buf0, (2,), is_leaf=True)  # x
    buf1 = fill(reader.storage(None, 8), torch.tensor([0.5, 1.0], dtype=torch.float32))
    reader.tensor(buf1, (2,), is_leaf=True)  # y
load_args._version = 0
