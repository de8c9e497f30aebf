# SPDX-License-Identifier: Apache-2.0
import torch


class Repro(torch.nn.Module):
    def forward(self, image, weight, bias, classifier):
        convolution = torch.ops.aten.convolution.default(image, weight, bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
        avg_pool2d = torch.ops.aten.avg_pool2d.default(convolution, [2, 2], [2, 2], [0, 0], True)
        hardswish = torch.ops.aten.hardswish.default(avg_pool2d)
        mean = torch.ops.aten.mean.dim(hardswish, [2, 3])
        mm = torch.ops.aten.mm.default(mean, classifier)
        return (mm,)


def load_args(reader):
    buf0 = reader.storage(None, 2700)
    reader.tensor(buf0, (1, 3, 15, 15))  # image
    buf1 = reader.storage(None, 2160)
    reader.tensor(buf1, (20, 3, 3, 3))  # weight
    buf2 = reader.storage(None, 80)
    reader.tensor(buf2, (20,))  # bias
    buf3 = reader.storage(None, 800)
    reader.tensor(buf3, (20, 10))  # classifier


load_args._version = 0
