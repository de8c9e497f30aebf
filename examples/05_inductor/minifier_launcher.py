# SPDX-License-Identifier: Apache-2.0

import os
os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp/torchinductor_user'
os.environ.pop('TORCHDYNAMO_REPRO_AFTER', None)
os.environ.pop('TORCHDYNAMO_REPRO_LEVEL', None)

import torch
from torch import tensor, device
import torch.fx as fx
from torch._dynamo.testing import rand_strided
from math import inf
import torch._inductor.inductor_prims



import torch._dynamo.config
import torch._inductor.config
import torch._functorch.config
import torch.fx.experimental._config

torch._inductor.config.deterministic = False
torch._functorch.config.functionalize_rng_ops = False
torch._functorch.config.fake_tensor_allow_unsafe_data_ptr_access = True
torch._functorch.config.unlift_effect_tokens = False
torch._functorch.config.selective_decompose = False



isolate_fails_code_str = None





if "__compile_source__" in globals():
    import inspect as __after_aot_inspect
    import linecache as __after_aot_linecache
    __after_aot_filename = __after_aot_inspect.currentframe().f_code.co_filename
    __after_aot_linecache.cache[__after_aot_filename] = (
        len(__compile_source__),
        None,
        __compile_source__.splitlines(True),
        __after_aot_filename,
    )
# torch version: 2.13.0+cpu
# torch cuda version: None
# torch git version: cf30153c4c131c8164ee7798e5022d810682e2cb


# torch.cuda.is_available()==False, no GPU info collected
torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.reset_table()

from torch.nn import *
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()



    def forward(self, arg0_1, arg1_1, arg2_1, arg3_1, arg4_1, arg5_1, arg6_1, arg7_1, arg8_1, arg9_1, arg10_1, arg11_1, arg12_1, arg13_1, arg14_1, arg15_1, arg16_1, arg17_1, arg18_1, arg19_1, arg20_1, arg21_1, arg22_1, arg23_1, arg24_1, arg25_1, arg26_1, arg27_1, arg28_1, arg29_1, arg30_1):
        embedding = torch.ops.aten.embedding.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        iota = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        embedding_1 = torch.ops.aten.embedding.default(arg2_1, iota);  arg2_1 = iota = None
        add = torch.ops.aten.add.Tensor(embedding, embedding_1);  embedding = embedding_1 = None
        var_mean = torch.ops.aten.var_mean.correction(add, [2], correction = 0, keepdim = True)
        getitem = var_mean[0]
        getitem_1 = var_mean[1];  var_mean = None
        add_1 = torch.ops.aten.add.Tensor(getitem, 1e-05);  getitem = None
        rsqrt = torch.ops.aten.rsqrt.default(add_1);  add_1 = None
        sub = torch.ops.aten.sub.Tensor(add, getitem_1);  getitem_1 = None
        mul = torch.ops.aten.mul.Tensor(sub, rsqrt);  sub = rsqrt = None
        mul_1 = torch.ops.aten.mul.Tensor(mul, arg3_1);  mul = arg3_1 = None
        add_2 = torch.ops.aten.add.Tensor(mul_1, arg4_1);  mul_1 = arg4_1 = None
        view = torch.ops.aten.view.default(add_2, [32, 32]);  add_2 = None
        permute = torch.ops.aten.permute.default(arg5_1, [1, 0]);  arg5_1 = None
        addmm = torch.ops.aten.addmm.default(arg6_1, view, permute);  arg6_1 = view = permute = None
        view_1 = torch.ops.aten.view.default(addmm, [2, 16, 96]);  addmm = None
        split = torch.ops.aten.split.Tensor(view_1, 32, 2);  view_1 = None
        getitem_2 = split[0]
        getitem_3 = split[1]
        getitem_4 = split[2];  split = None
        view_2 = torch.ops.aten.view.default(getitem_2, [2, 16, 4, -1]);  getitem_2 = None
        permute_1 = torch.ops.aten.permute.default(view_2, [0, 2, 1, 3]);  view_2 = None
        view_3 = torch.ops.aten.view.default(getitem_3, [2, 16, 4, -1]);  getitem_3 = None
        permute_2 = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None
        view_4 = torch.ops.aten.view.default(getitem_4, [2, 16, 4, -1]);  getitem_4 = None
        permute_3 = torch.ops.aten.permute.default(view_4, [0, 2, 1, 3]);  view_4 = None
        permute_4 = torch.ops.aten.permute.default(permute_2, [0, 1, 3, 2]);  permute_2 = None
        expand = torch.ops.aten.expand.default(permute_1, [2, 4, 16, 8]);  permute_1 = None
        clone = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        view_5 = torch.ops.aten.view.default(clone, [8, 16, 8]);  clone = None
        expand_1 = torch.ops.aten.expand.default(permute_4, [2, 4, 8, 16]);  permute_4 = None
        clone_1 = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        view_6 = torch.ops.aten.view.default(clone_1, [8, 8, 16]);  clone_1 = None
        bmm = torch.ops.aten.bmm.default(view_5, view_6);  view_5 = view_6 = None
        view_7 = torch.ops.aten.view.default(bmm, [2, 4, 16, 16]);  bmm = None
        mul_2 = torch.ops.aten.mul.Tensor(view_7, 0.3535533905932738);  view_7 = None
        full_default = torch.ops.aten.full.default([16, 16], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        iota_1 = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        unsqueeze = torch.ops.aten.unsqueeze.default(iota_1, -2);  iota_1 = None
        iota_2 = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        unsqueeze_1 = torch.ops.aten.unsqueeze.default(iota_2, -1);  iota_2 = None
        sub_1 = torch.ops.aten.sub.Tensor(unsqueeze, unsqueeze_1);  unsqueeze = unsqueeze_1 = None
        le = torch.ops.aten.le.Scalar(sub_1, 0);  sub_1 = None
        logical_and = torch.ops.aten.logical_and.default(le, full_default);  le = full_default = None
        bitwise_not = torch.ops.aten.bitwise_not.default(logical_and);  logical_and = None
        full_default_1 = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where = torch.ops.aten.where.self(bitwise_not, full_default_1, mul_2);  bitwise_not = full_default_1 = mul_2 = None
        amax = torch.ops.aten.amax.default(where, [-1], True)
        sub_2 = torch.ops.aten.sub.Tensor(where, amax);  where = amax = None
        exp = torch.ops.aten.exp.default(sub_2);  sub_2 = None
        sum_1 = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
        div = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
        expand_2 = torch.ops.aten.expand.default(div, [2, 4, 16, 16]);  div = None
        view_8 = torch.ops.aten.view.default(expand_2, [8, 16, 16]);  expand_2 = None
        expand_3 = torch.ops.aten.expand.default(permute_3, [2, 4, 16, 8]);  permute_3 = None
        clone_2 = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view_9 = torch.ops.aten.view.default(clone_2, [8, 16, 8]);  clone_2 = None
        bmm_1 = torch.ops.aten.bmm.default(view_8, view_9);  view_8 = view_9 = None
        view_10 = torch.ops.aten.view.default(bmm_1, [2, 4, 16, 8]);  bmm_1 = None
        permute_5 = torch.ops.aten.permute.default(view_10, [0, 2, 1, 3]);  view_10 = None
        clone_3 = torch.ops.aten.clone.default(permute_5, memory_format = torch.contiguous_format);  permute_5 = None
        view_11 = torch.ops.aten.view.default(clone_3, [2, 16, 32]);  clone_3 = None
        view_12 = torch.ops.aten.view.default(view_11, [32, 32]);  view_11 = None
        permute_6 = torch.ops.aten.permute.default(arg7_1, [1, 0]);  arg7_1 = None
        addmm_1 = torch.ops.aten.addmm.default(arg8_1, view_12, permute_6);  arg8_1 = view_12 = permute_6 = None
        view_13 = torch.ops.aten.view.default(addmm_1, [2, 16, 32]);  addmm_1 = None
        add_3 = torch.ops.aten.add.Tensor(add, view_13);  add = view_13 = None
        var_mean_1 = torch.ops.aten.var_mean.correction(add_3, [2], correction = 0, keepdim = True)
        getitem_5 = var_mean_1[0]
        getitem_6 = var_mean_1[1];  var_mean_1 = None
        add_4 = torch.ops.aten.add.Tensor(getitem_5, 1e-05);  getitem_5 = None
        rsqrt_1 = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        sub_3 = torch.ops.aten.sub.Tensor(add_3, getitem_6);  getitem_6 = None
        mul_3 = torch.ops.aten.mul.Tensor(sub_3, rsqrt_1);  sub_3 = rsqrt_1 = None
        mul_4 = torch.ops.aten.mul.Tensor(mul_3, arg9_1);  mul_3 = arg9_1 = None
        add_5 = torch.ops.aten.add.Tensor(mul_4, arg10_1);  mul_4 = arg10_1 = None
        view_14 = torch.ops.aten.view.default(add_5, [32, 32]);  add_5 = None
        permute_7 = torch.ops.aten.permute.default(arg11_1, [1, 0]);  arg11_1 = None
        addmm_2 = torch.ops.aten.addmm.default(arg12_1, view_14, permute_7);  arg12_1 = view_14 = permute_7 = None
        view_15 = torch.ops.aten.view.default(addmm_2, [2, 16, 128]);  addmm_2 = None
        mul_5 = torch.ops.aten.mul.Tensor(view_15, view_15)
        mul_6 = torch.ops.aten.mul.Tensor(mul_5, view_15);  mul_5 = None
        mul_7 = torch.ops.aten.mul.Tensor(mul_6, 0.044715);  mul_6 = None
        add_6 = torch.ops.aten.add.Tensor(view_15, mul_7);  mul_7 = None
        mul_8 = torch.ops.aten.mul.Tensor(add_6, 0.7978845608028654);  add_6 = None
        mul_9 = torch.ops.aten.mul.Tensor(view_15, 0.5);  view_15 = None
        tanh = torch.ops.aten.tanh.default(mul_8);  mul_8 = None
        add_7 = torch.ops.aten.add.Tensor(tanh, 1);  tanh = None
        mul_10 = torch.ops.aten.mul.Tensor(mul_9, add_7);  mul_9 = add_7 = None
        view_16 = torch.ops.aten.view.default(mul_10, [32, 128]);  mul_10 = None
        permute_8 = torch.ops.aten.permute.default(arg13_1, [1, 0]);  arg13_1 = None
        addmm_3 = torch.ops.aten.addmm.default(arg14_1, view_16, permute_8);  arg14_1 = view_16 = permute_8 = None
        view_17 = torch.ops.aten.view.default(addmm_3, [2, 16, 32]);  addmm_3 = None
        add_8 = torch.ops.aten.add.Tensor(add_3, view_17);  add_3 = view_17 = None
        gt = torch.ops.aten.gt.Scalar(add_8, 0)
        full_default_2 = torch.ops.aten.full.default([], 1.5, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default_3 = torch.ops.aten.full.default([], inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_1 = torch.ops.aten.where.self(gt, full_default_3, full_default_2);  gt = full_default_3 = full_default_2 = None
        remainder = torch.ops.aten.remainder.Tensor(add_8, where_1);  where_1 = None
        add_9 = torch.ops.aten.add.Tensor(add_8, remainder);  add_8 = remainder = None
        var_mean_2 = torch.ops.aten.var_mean.correction(add_9, [2], correction = 0, keepdim = True)
        getitem_7 = var_mean_2[0]
        getitem_8 = var_mean_2[1];  var_mean_2 = None
        add_10 = torch.ops.aten.add.Tensor(getitem_7, 1e-05);  getitem_7 = None
        rsqrt_2 = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        sub_4 = torch.ops.aten.sub.Tensor(add_9, getitem_8);  getitem_8 = None
        mul_11 = torch.ops.aten.mul.Tensor(sub_4, rsqrt_2);  sub_4 = rsqrt_2 = None
        mul_12 = torch.ops.aten.mul.Tensor(mul_11, arg15_1);  mul_11 = arg15_1 = None
        add_11 = torch.ops.aten.add.Tensor(mul_12, arg16_1);  mul_12 = arg16_1 = None
        view_20 = torch.ops.aten.view.default(add_11, [32, 32]);  add_11 = None
        permute_9 = torch.ops.aten.permute.default(arg17_1, [1, 0]);  arg17_1 = None
        addmm_4 = torch.ops.aten.addmm.default(arg18_1, view_20, permute_9);  arg18_1 = view_20 = permute_9 = None
        view_21 = torch.ops.aten.view.default(addmm_4, [2, 16, 96]);  addmm_4 = None
        split_1 = torch.ops.aten.split.Tensor(view_21, 32, 2);  view_21 = None
        getitem_9 = split_1[0]
        getitem_10 = split_1[1]
        getitem_11 = split_1[2];  split_1 = None
        view_22 = torch.ops.aten.view.default(getitem_9, [2, 16, 4, -1]);  getitem_9 = None
        permute_10 = torch.ops.aten.permute.default(view_22, [0, 2, 1, 3]);  view_22 = None
        view_23 = torch.ops.aten.view.default(getitem_10, [2, 16, 4, -1]);  getitem_10 = None
        permute_11 = torch.ops.aten.permute.default(view_23, [0, 2, 1, 3]);  view_23 = None
        view_24 = torch.ops.aten.view.default(getitem_11, [2, 16, 4, -1]);  getitem_11 = None
        permute_12 = torch.ops.aten.permute.default(view_24, [0, 2, 1, 3]);  view_24 = None
        permute_13 = torch.ops.aten.permute.default(permute_11, [0, 1, 3, 2]);  permute_11 = None
        expand_4 = torch.ops.aten.expand.default(permute_10, [2, 4, 16, 8]);  permute_10 = None
        clone_4 = torch.ops.aten.clone.default(expand_4, memory_format = torch.contiguous_format);  expand_4 = None
        view_25 = torch.ops.aten.view.default(clone_4, [8, 16, 8]);  clone_4 = None
        expand_5 = torch.ops.aten.expand.default(permute_13, [2, 4, 8, 16]);  permute_13 = None
        clone_5 = torch.ops.aten.clone.default(expand_5, memory_format = torch.contiguous_format);  expand_5 = None
        view_26 = torch.ops.aten.view.default(clone_5, [8, 8, 16]);  clone_5 = None
        bmm_2 = torch.ops.aten.bmm.default(view_25, view_26);  view_25 = view_26 = None
        view_27 = torch.ops.aten.view.default(bmm_2, [2, 4, 16, 16]);  bmm_2 = None
        mul_13 = torch.ops.aten.mul.Tensor(view_27, 0.3535533905932738);  view_27 = None
        full_default_4 = torch.ops.aten.full.default([16, 16], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        iota_3 = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        unsqueeze_2 = torch.ops.aten.unsqueeze.default(iota_3, -2);  iota_3 = None
        iota_4 = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        unsqueeze_3 = torch.ops.aten.unsqueeze.default(iota_4, -1);  iota_4 = None
        sub_5 = torch.ops.aten.sub.Tensor(unsqueeze_2, unsqueeze_3);  unsqueeze_2 = unsqueeze_3 = None
        le_1 = torch.ops.aten.le.Scalar(sub_5, 0);  sub_5 = None
        logical_and_1 = torch.ops.aten.logical_and.default(le_1, full_default_4);  le_1 = full_default_4 = None
        bitwise_not_1 = torch.ops.aten.bitwise_not.default(logical_and_1);  logical_and_1 = None
        full_default_5 = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_2 = torch.ops.aten.where.self(bitwise_not_1, full_default_5, mul_13);  bitwise_not_1 = full_default_5 = mul_13 = None
        amax_1 = torch.ops.aten.amax.default(where_2, [-1], True)
        sub_6 = torch.ops.aten.sub.Tensor(where_2, amax_1);  where_2 = amax_1 = None
        exp_1 = torch.ops.aten.exp.default(sub_6);  sub_6 = None
        sum_2 = torch.ops.aten.sum.dim_IntList(exp_1, [-1], True)
        div_1 = torch.ops.aten.div.Tensor(exp_1, sum_2);  exp_1 = sum_2 = None
        expand_6 = torch.ops.aten.expand.default(div_1, [2, 4, 16, 16]);  div_1 = None
        view_28 = torch.ops.aten.view.default(expand_6, [8, 16, 16]);  expand_6 = None
        expand_7 = torch.ops.aten.expand.default(permute_12, [2, 4, 16, 8]);  permute_12 = None
        clone_6 = torch.ops.aten.clone.default(expand_7, memory_format = torch.contiguous_format);  expand_7 = None
        view_29 = torch.ops.aten.view.default(clone_6, [8, 16, 8]);  clone_6 = None
        bmm_3 = torch.ops.aten.bmm.default(view_28, view_29);  view_28 = view_29 = None
        view_30 = torch.ops.aten.view.default(bmm_3, [2, 4, 16, 8]);  bmm_3 = None
        permute_14 = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None
        clone_7 = torch.ops.aten.clone.default(permute_14, memory_format = torch.contiguous_format);  permute_14 = None
        view_31 = torch.ops.aten.view.default(clone_7, [2, 16, 32]);  clone_7 = None
        view_32 = torch.ops.aten.view.default(view_31, [32, 32]);  view_31 = None
        permute_15 = torch.ops.aten.permute.default(arg19_1, [1, 0]);  arg19_1 = None
        addmm_5 = torch.ops.aten.addmm.default(arg20_1, view_32, permute_15);  arg20_1 = view_32 = permute_15 = None
        view_33 = torch.ops.aten.view.default(addmm_5, [2, 16, 32]);  addmm_5 = None
        add_12 = torch.ops.aten.add.Tensor(add_9, view_33);  add_9 = view_33 = None
        var_mean_3 = torch.ops.aten.var_mean.correction(add_12, [2], correction = 0, keepdim = True)
        getitem_12 = var_mean_3[0]
        getitem_13 = var_mean_3[1];  var_mean_3 = None
        add_13 = torch.ops.aten.add.Tensor(getitem_12, 1e-05);  getitem_12 = None
        rsqrt_3 = torch.ops.aten.rsqrt.default(add_13);  add_13 = None
        sub_7 = torch.ops.aten.sub.Tensor(add_12, getitem_13);  getitem_13 = None
        mul_14 = torch.ops.aten.mul.Tensor(sub_7, rsqrt_3);  sub_7 = rsqrt_3 = None
        mul_15 = torch.ops.aten.mul.Tensor(mul_14, arg21_1);  mul_14 = arg21_1 = None
        add_14 = torch.ops.aten.add.Tensor(mul_15, arg22_1);  mul_15 = arg22_1 = None
        view_34 = torch.ops.aten.view.default(add_14, [32, 32]);  add_14 = None
        permute_16 = torch.ops.aten.permute.default(arg23_1, [1, 0]);  arg23_1 = None
        addmm_6 = torch.ops.aten.addmm.default(arg24_1, view_34, permute_16);  arg24_1 = view_34 = permute_16 = None
        view_35 = torch.ops.aten.view.default(addmm_6, [2, 16, 128]);  addmm_6 = None
        mul_16 = torch.ops.aten.mul.Tensor(view_35, view_35)
        mul_17 = torch.ops.aten.mul.Tensor(mul_16, view_35);  mul_16 = None
        mul_18 = torch.ops.aten.mul.Tensor(mul_17, 0.044715);  mul_17 = None
        add_15 = torch.ops.aten.add.Tensor(view_35, mul_18);  mul_18 = None
        mul_19 = torch.ops.aten.mul.Tensor(add_15, 0.7978845608028654);  add_15 = None
        mul_20 = torch.ops.aten.mul.Tensor(view_35, 0.5);  view_35 = None
        tanh_1 = torch.ops.aten.tanh.default(mul_19);  mul_19 = None
        add_16 = torch.ops.aten.add.Tensor(tanh_1, 1);  tanh_1 = None
        mul_21 = torch.ops.aten.mul.Tensor(mul_20, add_16);  mul_20 = add_16 = None
        view_36 = torch.ops.aten.view.default(mul_21, [32, 128]);  mul_21 = None
        permute_17 = torch.ops.aten.permute.default(arg25_1, [1, 0]);  arg25_1 = None
        addmm_7 = torch.ops.aten.addmm.default(arg26_1, view_36, permute_17);  arg26_1 = view_36 = permute_17 = None
        view_37 = torch.ops.aten.view.default(addmm_7, [2, 16, 32]);  addmm_7 = None
        add_17 = torch.ops.aten.add.Tensor(add_12, view_37);  add_12 = view_37 = None
        var_mean_4 = torch.ops.aten.var_mean.correction(add_17, [2], correction = 0, keepdim = True)
        getitem_14 = var_mean_4[0]
        getitem_15 = var_mean_4[1];  var_mean_4 = None
        add_18 = torch.ops.aten.add.Tensor(getitem_14, 1e-05);  getitem_14 = None
        rsqrt_4 = torch.ops.aten.rsqrt.default(add_18);  add_18 = None
        sub_8 = torch.ops.aten.sub.Tensor(add_17, getitem_15);  add_17 = getitem_15 = None
        mul_22 = torch.ops.aten.mul.Tensor(sub_8, rsqrt_4);  sub_8 = rsqrt_4 = None
        mul_23 = torch.ops.aten.mul.Tensor(mul_22, arg27_1);  mul_22 = arg27_1 = None
        add_19 = torch.ops.aten.add.Tensor(mul_23, arg28_1);  mul_23 = arg28_1 = None
        view_38 = torch.ops.aten.view.default(add_19, [32, 32]);  add_19 = None
        permute_18 = torch.ops.aten.permute.default(arg29_1, [1, 0]);  arg29_1 = None
        addmm_8 = torch.ops.aten.addmm.default(arg30_1, view_38, permute_18);  arg30_1 = view_38 = permute_18 = None
        view_39 = torch.ops.aten.view.default(addmm_8, [2, 16, 100]);  addmm_8 = None
        return (view_39,)

def load_args(reader):
    buf0 = reader.storage(None, 12800)
    reader.tensor(buf0, (100, 32), requires_grad=True, is_leaf=True)  # arg0_1
    buf1 = reader.storage(None, 256, dtype_hint=torch.int64)
    reader.tensor(buf1, (2, 16), dtype=torch.int64, is_leaf=True)  # arg1_1
    buf2 = reader.storage(None, 2048)
    reader.tensor(buf2, (16, 32), requires_grad=True, is_leaf=True)  # arg2_1
    buf3 = reader.storage(None, 128)
    reader.tensor(buf3, (32,), requires_grad=True, is_leaf=True)  # arg3_1
    buf4 = reader.storage(None, 128)
    reader.tensor(buf4, (32,), requires_grad=True, is_leaf=True)  # arg4_1
    buf5 = reader.storage(None, 12288)
    reader.tensor(buf5, (96, 32), requires_grad=True, is_leaf=True)  # arg5_1
    buf6 = reader.storage(None, 384)
    reader.tensor(buf6, (96,), requires_grad=True, is_leaf=True)  # arg6_1
    buf7 = reader.storage(None, 4096)
    reader.tensor(buf7, (32, 32), requires_grad=True, is_leaf=True)  # arg7_1
    buf8 = reader.storage(None, 128)
    reader.tensor(buf8, (32,), requires_grad=True, is_leaf=True)  # arg8_1
    buf9 = reader.storage(None, 128)
    reader.tensor(buf9, (32,), requires_grad=True, is_leaf=True)  # arg9_1
    buf10 = reader.storage(None, 128)
    reader.tensor(buf10, (32,), requires_grad=True, is_leaf=True)  # arg10_1
    buf11 = reader.storage(None, 16384)
    reader.tensor(buf11, (128, 32), requires_grad=True, is_leaf=True)  # arg11_1
    buf12 = reader.storage(None, 512)
    reader.tensor(buf12, (128,), requires_grad=True, is_leaf=True)  # arg12_1
    buf13 = reader.storage(None, 16384)
    reader.tensor(buf13, (32, 128), requires_grad=True, is_leaf=True)  # arg13_1
    buf14 = reader.storage(None, 128)
    reader.tensor(buf14, (32,), requires_grad=True, is_leaf=True)  # arg14_1
    buf15 = reader.storage(None, 128)
    reader.tensor(buf15, (32,), requires_grad=True, is_leaf=True)  # arg15_1
    buf16 = reader.storage(None, 128)
    reader.tensor(buf16, (32,), requires_grad=True, is_leaf=True)  # arg16_1
    buf17 = reader.storage(None, 12288)
    reader.tensor(buf17, (96, 32), requires_grad=True, is_leaf=True)  # arg17_1
    buf18 = reader.storage(None, 384)
    reader.tensor(buf18, (96,), requires_grad=True, is_leaf=True)  # arg18_1
    buf19 = reader.storage(None, 4096)
    reader.tensor(buf19, (32, 32), requires_grad=True, is_leaf=True)  # arg19_1
    buf20 = reader.storage(None, 128)
    reader.tensor(buf20, (32,), requires_grad=True, is_leaf=True)  # arg20_1
    buf21 = reader.storage(None, 128)
    reader.tensor(buf21, (32,), requires_grad=True, is_leaf=True)  # arg21_1
    buf22 = reader.storage(None, 128)
    reader.tensor(buf22, (32,), requires_grad=True, is_leaf=True)  # arg22_1
    buf23 = reader.storage(None, 16384)
    reader.tensor(buf23, (128, 32), requires_grad=True, is_leaf=True)  # arg23_1
    buf24 = reader.storage(None, 512)
    reader.tensor(buf24, (128,), requires_grad=True, is_leaf=True)  # arg24_1
    buf25 = reader.storage(None, 16384)
    reader.tensor(buf25, (32, 128), requires_grad=True, is_leaf=True)  # arg25_1
    buf26 = reader.storage(None, 128)
    reader.tensor(buf26, (32,), requires_grad=True, is_leaf=True)  # arg26_1
    buf27 = reader.storage(None, 128)
    reader.tensor(buf27, (32,), requires_grad=True, is_leaf=True)  # arg27_1
    buf28 = reader.storage(None, 128)
    reader.tensor(buf28, (32,), requires_grad=True, is_leaf=True)  # arg28_1
    buf29 = reader.storage(None, 12800)
    reader.tensor(buf29, (100, 32), requires_grad=True, is_leaf=True)  # arg29_1
    buf30 = reader.storage(None, 400)
    reader.tensor(buf30, (100,), requires_grad=True, is_leaf=True)  # arg30_1
load_args._version = 0
mod = Repro()
if __name__ == '__main__':
    from torch._dynamo.repro.after_aot import run_repro
    with torch.no_grad():
        run_repro(mod, load_args, accuracy='strict_accuracy', command='minify', save_dir=None, tracing_mode='real', check_str=None)
        # To run it separately, do 
        # mod, args = run_repro(mod, load_args, accuracy='strict_accuracy', command='get_args', save_dir=None, tracing_mode='real', check_str=None)
        # mod(*args)