class Repro(torch.nn.Module):
    placeholder_symbols = {'x': ['s0', None], 's1': ['s1']}
    def forward(self, x, s1: 'int'):
        sym_size = torch.ops.aten.sym_size.int(x, 0)
        mul = sym_size * s1
        view = torch.ops.aten.view.default(x, [mul, -1])
        return (view,)
def load_args(reader):
    buf0 = reader.storage(None, 64)
    reader.tensor(buf0, (4, 4), is_leaf=True)
    reader.symint(2, expr='s1')
load_args._version = 0
