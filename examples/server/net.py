# SPDX-License-Identifier: Apache-2.0
import torch


class Repro(torch.nn.Module):
    def forward(self, x, scale, weight):
        mm = torch.ops.aten.mm.default(x, weight)
        tanh = torch.ops.aten.tanh.default(mm)
        mul = torch.ops.aten.mul.Tensor(tanh, scale)
        add = torch.ops.aten.add.Tensor(x, mul, alpha=2)
        relu = torch.ops.aten.relu.default(add)
        sum_1 = torch.ops.aten.sum.dim_IntList(relu, [1])
        return (sum_1,)


def load_args(reader):
    buf0 = reader.storage(None, 1024)
    reader.tensor(buf0, (16, 16))  # x
    buf1 = reader.storage(None, 64)
    reader.tensor(buf1, (16,))  # scale
    buf2 = reader.storage(None, 1024)
    reader.tensor(buf2, (16, 16))  # weight


load_args._version = 0
