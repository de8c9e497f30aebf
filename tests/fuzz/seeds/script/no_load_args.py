s0 = 3
class Repro:
    def forward(self, a: "f32[s0, 2][2, 1]cpu", b: "Sym(s0)"):
        c = torch.ops.higher_order.run_and_save_rng_state(torch.ops.aten.rand_like.default, a)
        d = c[1]
        e = round(b / 2)
        return (d, e)
def load_args(reader):
load_args._version = 0
