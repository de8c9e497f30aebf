# SPDX-License-Identifier: Apache-2.0
#
# A block of a small mobile network with a classifier behind it, and one statistic that is computed the wrong way.
# Culprit reads this file without running it; plain Python with PyTorch runs it too.
import torch


class Repro(torch.nn.Module):
    graph_name = 'first_graph_0_inference'
    placeholder_kinds = {
        'stem_weight': 'parameter', 'stem_scale': 'parameter', 'stem_shift': 'parameter',
        'depth_weight': 'parameter', 'depth_scale': 'parameter', 'depth_shift': 'parameter',
        'point_weight': 'parameter', 'point_scale': 'parameter', 'point_shift': 'parameter',
        'linear_weight': 'parameter', 'linear_bias': 'parameter',
    }

    def __init__(self):
        super().__init__()
        self.register_buffer('offset', torch.tensor(100.0))

    def forward(self, image, stem_weight, stem_scale, stem_shift, depth_weight, depth_scale, depth_shift,
                point_weight, point_scale, point_shift, linear_weight, linear_bias):
        offset = self.offset

        # The stem: 3 channels become 8, half the width and height.
        convolution = torch.ops.aten.convolution.default(image, stem_weight, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
        stem_norm = torch.ops.aten.native_batch_norm.default(convolution, stem_scale, stem_shift, None, None, True, 0.1, 1e-05);  convolution = None
        getitem = stem_norm[0];  stem_norm = None
        hardswish = torch.ops.aten.hardswish.default(getitem);  getitem = None

        # Each channel by itself, then all channels of each pixel; the result is added to what went in.
        convolution_1 = torch.ops.aten.convolution.default(hardswish, depth_weight, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 8)
        depth_norm = torch.ops.aten.native_batch_norm.default(convolution_1, depth_scale, depth_shift, None, None, True, 0.1, 1e-05);  convolution_1 = None
        getitem_1 = depth_norm[0];  depth_norm = None
        hardswish_1 = torch.ops.aten.hardswish.default(getitem_1);  getitem_1 = None
        convolution_2 = torch.ops.aten.convolution.default(hardswish_1, point_weight, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  hardswish_1 = None
        point_norm = torch.ops.aten.native_batch_norm.default(convolution_2, point_scale, point_shift, None, None, True, 0.1, 1e-05);  convolution_2 = None
        getitem_2 = point_norm[0];  point_norm = None
        residual = torch.ops.aten.add.Tensor(hardswish, getitem_2);  hardswish = getitem_2 = None

        # Pooling and the classifier.
        pooled = torch.ops.aten.max_pool2d_with_indices.default(residual, [2, 2], [2, 2])
        getitem_3 = pooled[0];  pooled = None
        features = torch.ops.aten.mean.dim(getitem_3, [2, 3]);  getitem_3 = None
        transposed = torch.ops.aten.t.default(linear_weight)
        logits = torch.ops.aten.addmm.default(linear_bias, features, transposed);  features = transposed = None
        probabilities = torch.ops.aten._softmax.default(logits, 1, False);  logits = None

        # The variance of each channel as E[x^2] - E[x]^2, far from zero: nearly all digits cancel.
        shifted = torch.ops.aten.add.Tensor(residual, offset);  residual = offset = None
        square = torch.ops.aten.mul.Tensor(shifted, shifted)
        mean_of_square = torch.ops.aten.mean.dim(square, [0, 2, 3]);  square = None
        mean = torch.ops.aten.mean.dim(shifted, [0, 2, 3]);  shifted = None
        square_of_mean = torch.ops.aten.mul.Tensor(mean, mean);  mean = None
        variance = torch.ops.aten.sub.Tensor(mean_of_square, square_of_mean);  mean_of_square = square_of_mean = None

        label = torch.ops.aten.argmax.default(probabilities, 1)
        return (probabilities, variance, label)


def load_args(reader):
    buf0 = reader.storage(None, 24576)
    reader.tensor(buf0, (2, 3, 32, 32), is_leaf=True)  # image
    buf1 = reader.storage(None, 864)
    reader.tensor(buf1, (8, 3, 3, 3), is_leaf=True)  # stem_weight
    buf2 = reader.storage(None, 32)
    reader.tensor(buf2, (8,), is_leaf=True)  # stem_scale
    buf3 = reader.storage(None, 32)
    reader.tensor(buf3, (8,), is_leaf=True)  # stem_shift
    buf4 = reader.storage(None, 288)
    reader.tensor(buf4, (8, 1, 3, 3), is_leaf=True)  # depth_weight
    buf5 = reader.storage(None, 32)
    reader.tensor(buf5, (8,), is_leaf=True)  # depth_scale
    buf6 = reader.storage(None, 32)
    reader.tensor(buf6, (8,), is_leaf=True)  # depth_shift
    buf7 = reader.storage(None, 256)
    reader.tensor(buf7, (8, 8, 1, 1), is_leaf=True)  # point_weight
    buf8 = reader.storage(None, 32)
    reader.tensor(buf8, (8,), is_leaf=True)  # point_scale
    buf9 = reader.storage(None, 32)
    reader.tensor(buf9, (8,), is_leaf=True)  # point_shift
    buf10 = reader.storage(None, 320)
    reader.tensor(buf10, (10, 8), is_leaf=True)  # linear_weight
    buf11 = reader.storage(None, 40)
    reader.tensor(buf11, (10,), is_leaf=True)  # linear_bias
load_args._version = 0
