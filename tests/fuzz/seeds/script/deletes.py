class Repro:
    def forward(self, x, y):
        a = torch.ops.aten.add.Tensor(x, y);  x = y = None
        a_1 = torch.ops.aten.add_.Scalar(a, 1, alpha = 2);  a = None
        del a, nobody
        a: "f32[2]" = torch.ops.aten.neg.default(a_1); pass
        return (a,)
