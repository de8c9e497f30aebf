class Repro:
    def forward(self, x):
        a = torch.ops.aten.mul.Tensor(x, 1+2j)
        b = torch.ops.aten.mul.Tensor(a, complex(-0.0, float('inf')))
        c = torch.ops.aten.add.Tensor(b, float('nan'), alpha = -0x10)
        return (c, nan, -inf, 1e999, 5e-324, -9223372036854775808, 1_0.5e-3, True, .5j)
