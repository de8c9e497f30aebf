class Repro:
    def forward(self, x):
        max_1 = torch.ops.aten.max.dim(x, 0)
        getitem = max_1[0];  max_1 = None
        split = torch.ops.aten.split.Tensor(x, 1)
        a = split[-1]
        b, c = torch.ops.aten.max.dim(x, 0)
        return [getitem, a, b, c, None]
