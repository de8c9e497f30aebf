class Repro(torch.nn.Module):
    placeholder_symbols = {'x': ['s0', None], 's1': ['s1']}
    def forward(self, x, s1: 'int'):
        n = torch.ops.aten.sym_size.int(x, 0)
        m = n * s1
        y = torch.ops.aten.view.default(x, [m, -1])
        return (y,)
def load_args(reader):
    b = reader.storage(None, 64)
    reader.tensor(b, (4, 4))
    reader.symint(2, expr='s1')
