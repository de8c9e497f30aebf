# A graph that is not in normal form.
import torch
class Repro(torch.nn.Module):
    def forward(self, x, w):
        add = torch.ops.aten.add.Tensor(x, w, alpha = 1);  x = None
        dropout = torch.ops.aten.native_dropout.default(add, 0.5, True);  add = None
        getitem = dropout[0]
        return (getitem, w)

def load_args(reader):
    buf0 = reader.storage(None, 32)
    reader.tensor(buf0, (2, 4))
    buf1 = reader.storage(None, 16)
    reader.tensor(buf1, (4,))
load_args._version = 0
