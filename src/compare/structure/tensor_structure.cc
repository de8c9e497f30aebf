// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/tensor_structure.h"

#include <c10/core/QScheme.h>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "compare/elements/element_reader.h"

namespace culprit::compare {
namespace {

std::string Shown(c10::Layout layout) {
  return fmt::format("{}", fmt::streamed(layout));
}

std::string TwoSides(std::string_view reference, std::string_view result) {
  return fmt::format("{} in the reference, {} in the result", reference, result);
}

/// Two tensors can have the same numbers in the same places only if the kinds of their numbers do not differ.
bool CanBeCast(const at::Tensor& reference, const at::Tensor& result) {
  return reference.is_complex() == result.is_complex();
}

bool HaveSameStrides(const at::Tensor& a, const at::Tensor& b) {
  for (int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) > 1 && a.stride(i) != b.stride(i)) return false;
  }
  return true;
}

bool IsPerChannel(const at::Tensor& tensor) {
  return tensor.qscheme() != at::kPerTensorAffine && tensor.qscheme() != at::kPerTensorSymmetric;
}

std::string FirstDifference(const at::Tensor& reference, const at::Tensor& result, std::string_view what) {
  for (int64_t i = 0; i < reference.numel(); ++i) {
    const double a = reference[i].item<double>();
    const double b = result[i].item<double>();
    if (a != b)
      return fmt::format("{} of channel {}: {}", what, i, TwoSides(fmt::to_string(a), fmt::to_string(b)));
  }
  return "";
}

/// What differs between two quantisers of tensors of the same shape, or an empty text.
std::string QuantizerDifference(const at::Tensor& reference, const at::Tensor& result) {
  if (reference.qscheme() != result.qscheme())
    return TwoSides(c10::toString(reference.qscheme()), c10::toString(result.qscheme()));
  if (!IsPerChannel(reference)) {
    const auto shown = [](const at::Tensor& tensor) {
      return fmt::format("scale {} and zero point {}", tensor.q_scale(), tensor.q_zero_point());
    };
    return shown(reference) == shown(result) ? "" : TwoSides(shown(reference), shown(result));
  }
  if (reference.q_per_channel_axis() != result.q_per_channel_axis())
    return TwoSides(fmt::format("axis {}", reference.q_per_channel_axis()),
                    fmt::format("axis {}", result.q_per_channel_axis()));
  std::string scales =
      FirstDifference(reference.q_per_channel_scales(), result.q_per_channel_scales(), "scale");
  if (!scales.empty()) return scales;
  return FirstDifference(reference.q_per_channel_zero_points(), result.q_per_channel_zero_points(),
                         "zero point");
}

class StructureCheck {
 public:
  StructureCheck(const std::string& path, const at::Tensor& reference, const at::Tensor& result)
      : path_(path), reference_(reference), result_(result) {}

  /// What makes numbers incomparable comes first.
  StructureReport Run(const Options& options) {
    if (reference_.layout() != result_.layout())
      AddFatal(MismatchKind::kLayout, TwoSides(Shown(reference_.layout()), Shown(result_.layout())));
    if (reference_.scalar_type() != result_.scalar_type() &&
        (options.exact_dtype || !CanBeCast(reference_, result_)))
      AddFatal(MismatchKind::kDtype,
               TwoSides(c10::toString(reference_.scalar_type()), c10::toString(result_.scalar_type())));
    if (reference_.sizes() != result_.sizes())
      AddFatal(MismatchKind::kShape,
               TwoSides(compare::Shown(reference_.sizes()), compare::Shown(result_.sizes())));
    CheckReadable(reference_, "reference");
    CheckReadable(result_, "result");
    if (reference_.device() != result_.device() && !reference_.is_meta() && !result_.is_meta())
      Add(MismatchKind::kDevice, TwoSides(reference_.device().str(), result_.device().str()));
    if (options.compare_requires_grad && reference_.requires_grad() != result_.requires_grad())
      Add(MismatchKind::kRequiresGrad,
          TwoSides(reference_.requires_grad() ? "yes" : "no", result_.requires_grad() ? "yes" : "no"));
    if (report_.numbers_correspond) CheckQuantizerAndStrides(options);
    return std::move(report_);
  }

 private:
  void CheckReadable(const at::Tensor& tensor, std::string_view side) {
    const std::string why = WhyUnreadable(tensor);
    if (!why.empty()) AddFatal(MismatchKind::kNoData, fmt::format("the {} {}", side, why));
  }

  void CheckQuantizerAndStrides(const Options& options) {
    if (reference_.is_quantized() && result_.is_quantized()) {
      std::string difference = QuantizerDifference(reference_, result_);
      if (!difference.empty()) Add(MismatchKind::kQuantizer, std::move(difference));
    }
    if (options.compare_strides && reference_.layout() == at::kStrided &&
        !HaveSameStrides(reference_, result_))
      Add(MismatchKind::kStrides,
          TwoSides(compare::Shown(reference_.strides()), compare::Shown(result_.strides())));
  }

  void Add(MismatchKind kind, std::string message) {
    report_.mismatches.push_back({kind, path_, std::move(message)});
  }

  void AddFatal(MismatchKind kind, std::string message) {
    Add(kind, std::move(message));
    report_.numbers_correspond = false;
  }

  const std::string& path_;
  const at::Tensor& reference_;
  const at::Tensor& result_;
  StructureReport report_;
};

}  // namespace

std::string Shown(c10::IntArrayRef numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

StructureReport CompareStructure(const std::string& path, const at::Tensor& reference,
                                 const at::Tensor& result, const Options& options) {
  return StructureCheck(path, reference, result).Run(options);
}

std::string WhyUnreadable(const at::Tensor& tensor) {
  if (tensor.is_meta()) return "is on device meta, which holds no numbers";
  if (tensor.has_storage() && tensor.numel() > 0 && tensor.data_ptr() == nullptr)
    return "has no memory (a fake tensor)";
  if (!tensor.is_quantized() && !IsReadable(tensor.scalar_type()))
    return fmt::format("has the dtype {}, which holds no numbers", c10::toString(tensor.scalar_type()));
  return "";
}

at::Tensor Dense(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach();
  if (plain.is_quantized()) return plain.dequantize().cpu();
  return (plain.layout() == at::kStrided ? plain : plain.to_dense()).cpu();
}

}  // namespace culprit::compare
