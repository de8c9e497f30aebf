class Repro:
    """A docstring that no one needs"""
    def forward(self, x):
        a = torch.ops.aten.div.Tensor_mode(x, 2, rounding_mode = 'floor')
        return (a, 'a\udcff\n\x41\u00e9', u"\"", '''b
c''')
