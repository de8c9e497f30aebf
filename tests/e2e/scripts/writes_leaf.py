class Repro(torch.nn.Module):
    def forward(self, x):
        add_ = torch.ops.aten.add_.Tensor(x, 1)
        return (add_,)


def load_args(reader):
    buf0 = fill(reader.storage(None, 8), torch.tensor([0.5, 1.0], dtype=torch.float32))
    reader.tensor(buf0, (2,), requires_grad=True, is_leaf=True)  # x
load_args._version = 0
