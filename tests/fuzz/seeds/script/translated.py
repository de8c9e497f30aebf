class Repro:
    def forward(self, x):
        a = torch.ops.prims.convert_element_type.default(x, torch.float64)
        b = torch.ops.aten.squeeze.dims(a, [0, -1])
        c = torch.ops.aten.rms_norm.default(b, [2], None, 1e-05)
        return (c,)
