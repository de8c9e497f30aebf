culprit = '{"backend": "./libmine.so", "run": {"grad": false}}'


class Repro(torch.nn.Module):
    def forward(self, x):
        add = torch.ops.aten.add.Tensor(x, 1)
        sub = torch.ops.aten.sub.Tensor(add, x)
        return (sub,)


def load_args(reader):
    buf0 = fill(reader.storage(None, 4), torch.tensor([16777216.0], dtype=torch.float32))
    reader.tensor(buf0, (), is_leaf=True)  # x
load_args._version = 0
