class Repro(torch.nn.Module):
    def forward(self, x):
        real = torch.ops.aten._to_copy.default(x, dtype = torch.float32)
        again = torch.ops.aten._to_copy.default(x, dtype = torch.float64)
        return (real, again)

def load_args(reader):
    buf0 = reader.storage(None, 16)
    reader.tensor(buf0, (2,), dtype=torch.complex64)  # x
load_args._version = 0
