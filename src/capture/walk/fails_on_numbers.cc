// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/fails_on_numbers.h"

#include <algorithm>
#include <string_view>

namespace culprit::capture {
namespace {

using c10::IValue;

/// Without `aten::`, and without the `_` behind those that write in place.
constexpr std::string_view kMayFail[] = {
    // Indices.
    "_embedding_bag", "_embedding_bag_forward_only", "_index_put_impl", "_unsafe_index", "_unsafe_index_put",
    "embedding", "embedding_bag", "embedding_renorm", "gather", "index", "index_add", "index_copy",
    "index_fill", "index_put", "index_reduce", "index_select", "max_unpool2d", "max_unpool3d", "one_hot",
    "put", "scatter", "scatter_add", "scatter_reduce", "take", "take_along_dim",
    // Labels.
    "_ctc_loss", "cross_entropy_loss", "ctc_loss", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_margin_loss_forward", "nll_loss", "nll_loss2d", "nll_loss2d_forward", "nll_loss_forward",
    "nll_loss_nd",
    // Counts and lengths.
    "_pack_padded_sequence", "_pad_packed_sequence", "bincount", "masked_scatter", "repeat_interleave",
    "segment_reduce",
    // Probabilities and ranges.
    "bernoulli", "binary_cross_entropy", "binomial", "fake_quantize_per_channel_affine",
    "fake_quantize_per_channel_affine_cachemask", "fused_moving_avg_obs_fake_quant", "histc", "histogram",
    "histogramdd", "multinomial", "nanquantile", "normal", "poisson", "quantile",
    // Matrices; those of linalg_ as well.
    "_linalg_check_errors", "_linalg_eigh", "_linalg_svd", "cholesky_inverse", "cholesky_solve", "inverse",
    "lu_solve", "lu_unpack", "matrix_power", "pinverse", "svd", "triangular_solve",
    // What a program asserts.
    "_assert_async", "_functional_assert_async"};

/// By zero.
constexpr std::string_view kIntegerDivision[] = {"div", "divide", "floor_divide", "fmod", "remainder"};

bool IsFloating(const IValue& value) {
  if (value.isTensor())
    return value.toTensor().defined() && !c10::isIntegralType(value.toTensor().scalar_type(), true);
  return value.isDouble() || value.isComplexDouble();
}

}  // namespace

bool MayFailOnNumbers(const vm::CalledOperator& called, c10::ArrayRef<IValue> arguments) {
  constexpr std::string_view kOwn = "aten::";
  std::string_view name = called.name;
  if (!name.starts_with(kOwn)) return true;
  name.remove_prefix(kOwn.size());
  if (name.ends_with('_')) name.remove_suffix(1);
  if (std::ranges::find(kIntegerDivision, name) != std::end(kIntegerDivision))
    return std::ranges::none_of(arguments, IsFloating);
  return name.starts_with("linalg_") || std::ranges::find(kMayFail, name) != std::end(kMayFail);
}

}  // namespace culprit::capture
