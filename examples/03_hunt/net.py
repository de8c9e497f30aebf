# SPDX-License-Identifier: Apache-2.0
#
# A small classification network with squeeze-and-excitation blocks, as PyTorch's repro scripts write graphs.
import torch


class Repro(torch.nn.Module):
    graph_name = 'small_net_0_inference'
    placeholder_kinds = {
        'stem_weight': 'parameter', 'stem_bias': 'parameter', 'first_expand_weight': 'parameter',
        'first_expand_bias': 'parameter', 'first_depth_weight': 'parameter', 'first_depth_bias': 'parameter',
        'first_squeeze_weight': 'parameter', 'first_squeeze_bias': 'parameter', 'first_excite_weight':
        'parameter', 'first_excite_bias': 'parameter', 'first_project_weight': 'parameter',
        'first_project_bias': 'parameter', 'second_expand_weight': 'parameter', 'second_expand_bias':
        'parameter', 'second_depth_weight': 'parameter', 'second_depth_bias': 'parameter',
        'second_squeeze_weight': 'parameter', 'second_squeeze_bias': 'parameter', 'second_excite_weight':
        'parameter', 'second_excite_bias': 'parameter', 'second_project_weight': 'parameter',
        'second_project_bias': 'parameter', 'down_weight': 'parameter', 'down_bias': 'parameter',
        'third_expand_weight': 'parameter', 'third_expand_bias': 'parameter', 'third_depth_weight':
        'parameter', 'third_depth_bias': 'parameter', 'third_project_weight': 'parameter',
        'third_project_bias': 'parameter', 'fourth_expand_weight': 'parameter', 'fourth_expand_bias':
        'parameter', 'fourth_depth_weight': 'parameter', 'fourth_depth_bias': 'parameter',
        'fourth_squeeze_weight': 'parameter', 'fourth_squeeze_bias': 'parameter', 'fourth_excite_weight':
        'parameter', 'fourth_excite_bias': 'parameter', 'fourth_project_weight': 'parameter',
        'fourth_project_bias': 'parameter', 'tail_weight': 'parameter', 'tail_bias': 'parameter',
        'fifth_expand_weight': 'parameter', 'fifth_expand_bias': 'parameter', 'fifth_depth_weight':
        'parameter', 'fifth_depth_bias': 'parameter', 'fifth_squeeze_weight': 'parameter',
        'fifth_squeeze_bias': 'parameter', 'fifth_excite_weight': 'parameter', 'fifth_excite_bias':
        'parameter', 'fifth_project_weight': 'parameter', 'fifth_project_bias': 'parameter',
        'classifier_weight': 'parameter', 'classifier_bias': 'parameter',
    }

    def forward(self, image, stem_weight, stem_bias, first_expand_weight, first_expand_bias, first_depth_weight,
                first_depth_bias, first_squeeze_weight, first_squeeze_bias, first_excite_weight,
                first_excite_bias, first_project_weight, first_project_bias, second_expand_weight,
                second_expand_bias, second_depth_weight, second_depth_bias, second_squeeze_weight,
                second_squeeze_bias, second_excite_weight, second_excite_bias,
                second_project_weight, second_project_bias, down_weight, down_bias,
                third_expand_weight, third_expand_bias, third_depth_weight, third_depth_bias,
                third_project_weight, third_project_bias, fourth_expand_weight, fourth_expand_bias,
                fourth_depth_weight, fourth_depth_bias, fourth_squeeze_weight, fourth_squeeze_bias,
                fourth_excite_weight, fourth_excite_bias, fourth_project_weight,
                fourth_project_bias, tail_weight, tail_bias, fifth_expand_weight, fifth_expand_bias,
                fifth_depth_weight, fifth_depth_bias, fifth_squeeze_weight, fifth_squeeze_bias,
                fifth_excite_weight, fifth_excite_bias, fifth_project_weight, fifth_project_bias,
                classifier_weight, classifier_bias):
        convolution = torch.ops.aten.convolution.default(image, stem_weight, stem_bias, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
        relu = torch.ops.aten.relu.default(convolution)
        convolution_1 = torch.ops.aten.convolution.default(relu, first_expand_weight, first_expand_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_1 = torch.ops.aten.relu.default(convolution_1)
        convolution_2 = torch.ops.aten.convolution.default(relu_1, first_depth_weight, first_depth_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 32)
        relu_2 = torch.ops.aten.relu.default(convolution_2)
        mean = torch.ops.aten.mean.dim(relu_2, [2, 3], True)
        convolution_3 = torch.ops.aten.convolution.default(mean, first_squeeze_weight, first_squeeze_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_3 = torch.ops.aten.relu.default(convolution_3)
        convolution_4 = torch.ops.aten.convolution.default(relu_3, first_excite_weight, first_excite_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        sigmoid = torch.ops.aten.sigmoid.default(convolution_4)
        mul = torch.ops.aten.mul.Tensor(relu_2, sigmoid)
        convolution_5 = torch.ops.aten.convolution.default(mul, first_project_weight, first_project_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        add = torch.ops.aten.add.Tensor(convolution_5, relu)
        convolution_6 = torch.ops.aten.convolution.default(add, second_expand_weight, second_expand_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_4 = torch.ops.aten.relu.default(convolution_6)
        convolution_7 = torch.ops.aten.convolution.default(relu_4, second_depth_weight, second_depth_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 32)
        relu_5 = torch.ops.aten.relu.default(convolution_7)
        mean_1 = torch.ops.aten.mean.dim(relu_5, [2, 3], True)
        convolution_8 = torch.ops.aten.convolution.default(mean_1, second_squeeze_weight, second_squeeze_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_6 = torch.ops.aten.relu.default(convolution_8)
        convolution_9 = torch.ops.aten.convolution.default(relu_6, second_excite_weight, second_excite_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        sigmoid_1 = torch.ops.aten.sigmoid.default(convolution_9)
        mul_1 = torch.ops.aten.mul.Tensor(relu_5, sigmoid_1)
        convolution_10 = torch.ops.aten.convolution.default(mul_1, second_project_weight, second_project_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        add_1 = torch.ops.aten.add.Tensor(convolution_10, add)
        convolution_11 = torch.ops.aten.convolution.default(add_1, down_weight, down_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
        avg_pool2d = torch.ops.aten.avg_pool2d.default(convolution_11, [2, 2], [2, 2], [0, 0], True)
        convolution_12 = torch.ops.aten.convolution.default(avg_pool2d, third_expand_weight, third_expand_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        hardswish = torch.ops.aten.hardswish.default(convolution_12)
        convolution_13 = torch.ops.aten.convolution.default(hardswish, third_depth_weight, third_depth_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 20)
        relu_7 = torch.ops.aten.relu.default(convolution_13)
        convolution_14 = torch.ops.aten.convolution.default(relu_7, third_project_weight, third_project_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        add_2 = torch.ops.aten.add.Tensor(convolution_14, avg_pool2d)
        convolution_15 = torch.ops.aten.convolution.default(add_2, fourth_expand_weight, fourth_expand_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_8 = torch.ops.aten.relu.default(convolution_15)
        convolution_16 = torch.ops.aten.convolution.default(relu_8, fourth_depth_weight, fourth_depth_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 40)
        relu_9 = torch.ops.aten.relu.default(convolution_16)
        mean_2 = torch.ops.aten.mean.dim(relu_9, [2, 3], True)
        convolution_17 = torch.ops.aten.convolution.default(mean_2, fourth_squeeze_weight, fourth_squeeze_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_10 = torch.ops.aten.relu.default(convolution_17)
        convolution_18 = torch.ops.aten.convolution.default(relu_10, fourth_excite_weight, fourth_excite_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        sigmoid_2 = torch.ops.aten.sigmoid.default(convolution_18)
        mul_2 = torch.ops.aten.mul.Tensor(relu_9, sigmoid_2)
        convolution_19 = torch.ops.aten.convolution.default(mul_2, fourth_project_weight, fourth_project_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        add_3 = torch.ops.aten.add.Tensor(convolution_19, add_2)
        convolution_20 = torch.ops.aten.convolution.default(add_3, tail_weight, tail_bias, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
        relu_11 = torch.ops.aten.relu.default(convolution_20)
        convolution_21 = torch.ops.aten.convolution.default(relu_11, fifth_expand_weight, fifth_expand_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_12 = torch.ops.aten.relu.default(convolution_21)
        convolution_22 = torch.ops.aten.convolution.default(relu_12, fifth_depth_weight, fifth_depth_bias, [1, 1], [1, 1], [1, 1], False, [0, 0], 64)
        relu_13 = torch.ops.aten.relu.default(convolution_22)
        mean_3 = torch.ops.aten.mean.dim(relu_13, [2, 3], True)
        convolution_23 = torch.ops.aten.convolution.default(mean_3, fifth_squeeze_weight, fifth_squeeze_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        relu_14 = torch.ops.aten.relu.default(convolution_23)
        convolution_24 = torch.ops.aten.convolution.default(relu_14, fifth_excite_weight, fifth_excite_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        sigmoid_3 = torch.ops.aten.sigmoid.default(convolution_24)
        mul_3 = torch.ops.aten.mul.Tensor(relu_13, sigmoid_3)
        convolution_25 = torch.ops.aten.convolution.default(mul_3, fifth_project_weight, fifth_project_bias, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        add_4 = torch.ops.aten.add.Tensor(convolution_25, relu_11)
        mean_4 = torch.ops.aten.mean.dim(add_4, [2, 3])
        permute = torch.ops.aten.permute.default(classifier_weight, [1, 0])
        addmm = torch.ops.aten.addmm.default(classifier_bias, mean_4, permute)
        return (addmm,)


def load_args(reader):
    buf0 = reader.storage(None, 21600)
    reader.tensor(buf0, (2, 3, 30, 30))  # image
    buf1 = reader.storage(None, 1728)
    reader.tensor(buf1, (16, 3, 3, 3))  # stem_weight
    buf2 = reader.storage(None, 64)
    reader.tensor(buf2, (16,))  # stem_bias
    buf3 = reader.storage(None, 2048)
    reader.tensor(buf3, (32, 16, 1, 1))  # first_expand_weight
    buf4 = reader.storage(None, 128)
    reader.tensor(buf4, (32,))  # first_expand_bias
    buf5 = reader.storage(None, 1152)
    reader.tensor(buf5, (32, 1, 3, 3))  # first_depth_weight
    buf6 = reader.storage(None, 128)
    reader.tensor(buf6, (32,))  # first_depth_bias
    buf7 = reader.storage(None, 1024)
    reader.tensor(buf7, (8, 32, 1, 1))  # first_squeeze_weight
    buf8 = reader.storage(None, 32)
    reader.tensor(buf8, (8,))  # first_squeeze_bias
    buf9 = reader.storage(None, 1024)
    reader.tensor(buf9, (32, 8, 1, 1))  # first_excite_weight
    buf10 = reader.storage(None, 128)
    reader.tensor(buf10, (32,))  # first_excite_bias
    buf11 = reader.storage(None, 2048)
    reader.tensor(buf11, (16, 32, 1, 1))  # first_project_weight
    buf12 = reader.storage(None, 64)
    reader.tensor(buf12, (16,))  # first_project_bias
    buf13 = reader.storage(None, 2048)
    reader.tensor(buf13, (32, 16, 1, 1))  # second_expand_weight
    buf14 = reader.storage(None, 128)
    reader.tensor(buf14, (32,))  # second_expand_bias
    buf15 = reader.storage(None, 1152)
    reader.tensor(buf15, (32, 1, 3, 3))  # second_depth_weight
    buf16 = reader.storage(None, 128)
    reader.tensor(buf16, (32,))  # second_depth_bias
    buf17 = reader.storage(None, 1024)
    reader.tensor(buf17, (8, 32, 1, 1))  # second_squeeze_weight
    buf18 = reader.storage(None, 32)
    reader.tensor(buf18, (8,))  # second_squeeze_bias
    buf19 = reader.storage(None, 1024)
    reader.tensor(buf19, (32, 8, 1, 1))  # second_excite_weight
    buf20 = reader.storage(None, 128)
    reader.tensor(buf20, (32,))  # second_excite_bias
    buf21 = reader.storage(None, 2048)
    reader.tensor(buf21, (16, 32, 1, 1))  # second_project_weight
    buf22 = reader.storage(None, 64)
    reader.tensor(buf22, (16,))  # second_project_bias
    buf23 = reader.storage(None, 11520)
    reader.tensor(buf23, (20, 16, 3, 3))  # down_weight
    buf24 = reader.storage(None, 80)
    reader.tensor(buf24, (20,))  # down_bias
    buf25 = reader.storage(None, 1600)
    reader.tensor(buf25, (20, 20, 1, 1))  # third_expand_weight
    buf26 = reader.storage(None, 80)
    reader.tensor(buf26, (20,))  # third_expand_bias
    buf27 = reader.storage(None, 720)
    reader.tensor(buf27, (20, 1, 3, 3))  # third_depth_weight
    buf28 = reader.storage(None, 80)
    reader.tensor(buf28, (20,))  # third_depth_bias
    buf29 = reader.storage(None, 1600)
    reader.tensor(buf29, (20, 20, 1, 1))  # third_project_weight
    buf30 = reader.storage(None, 80)
    reader.tensor(buf30, (20,))  # third_project_bias
    buf31 = reader.storage(None, 3200)
    reader.tensor(buf31, (40, 20, 1, 1))  # fourth_expand_weight
    buf32 = reader.storage(None, 160)
    reader.tensor(buf32, (40,))  # fourth_expand_bias
    buf33 = reader.storage(None, 1440)
    reader.tensor(buf33, (40, 1, 3, 3))  # fourth_depth_weight
    buf34 = reader.storage(None, 160)
    reader.tensor(buf34, (40,))  # fourth_depth_bias
    buf35 = reader.storage(None, 1280)
    reader.tensor(buf35, (8, 40, 1, 1))  # fourth_squeeze_weight
    buf36 = reader.storage(None, 32)
    reader.tensor(buf36, (8,))  # fourth_squeeze_bias
    buf37 = reader.storage(None, 1280)
    reader.tensor(buf37, (40, 8, 1, 1))  # fourth_excite_weight
    buf38 = reader.storage(None, 160)
    reader.tensor(buf38, (40,))  # fourth_excite_bias
    buf39 = reader.storage(None, 3200)
    reader.tensor(buf39, (20, 40, 1, 1))  # fourth_project_weight
    buf40 = reader.storage(None, 80)
    reader.tensor(buf40, (20,))  # fourth_project_bias
    buf41 = reader.storage(None, 23040)
    reader.tensor(buf41, (32, 20, 3, 3))  # tail_weight
    buf42 = reader.storage(None, 128)
    reader.tensor(buf42, (32,))  # tail_bias
    buf43 = reader.storage(None, 8192)
    reader.tensor(buf43, (64, 32, 1, 1))  # fifth_expand_weight
    buf44 = reader.storage(None, 256)
    reader.tensor(buf44, (64,))  # fifth_expand_bias
    buf45 = reader.storage(None, 2304)
    reader.tensor(buf45, (64, 1, 3, 3))  # fifth_depth_weight
    buf46 = reader.storage(None, 256)
    reader.tensor(buf46, (64,))  # fifth_depth_bias
    buf47 = reader.storage(None, 2048)
    reader.tensor(buf47, (8, 64, 1, 1))  # fifth_squeeze_weight
    buf48 = reader.storage(None, 32)
    reader.tensor(buf48, (8,))  # fifth_squeeze_bias
    buf49 = reader.storage(None, 2048)
    reader.tensor(buf49, (64, 8, 1, 1))  # fifth_excite_weight
    buf50 = reader.storage(None, 256)
    reader.tensor(buf50, (64,))  # fifth_excite_bias
    buf51 = reader.storage(None, 8192)
    reader.tensor(buf51, (32, 64, 1, 1))  # fifth_project_weight
    buf52 = reader.storage(None, 128)
    reader.tensor(buf52, (32,))  # fifth_project_bias
    buf53 = reader.storage(None, 1280)
    reader.tensor(buf53, (10, 32))  # classifier_weight
    buf54 = reader.storage(None, 40)
    reader.tensor(buf54, (10,))  # classifier_bias


load_args._version = 0
