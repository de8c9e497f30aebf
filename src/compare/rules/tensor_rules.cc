// SPDX-License-Identifier: Apache-2.0
#include "compare/rules/tensor_rules.h"

#include <cmath>

#include "compare/elements/detail.h"
#include "compare/elements/element_errors.h"
#include "compare/elements/summary.h"
#include "compare/rules/fp64_rule.h"
#include "compare/rules/similarity.h"
#include "compare/structure/tensor_structure.h"

namespace culprit::compare {
namespace {

bool IsDoublePrecision(const at::Tensor& tensor, bool is_complex) {
  return tensor.scalar_type() == (is_complex ? at::kComplexDouble : at::kDouble);
}

class Judge {
 public:
  Judge(const at::Tensor& reference, const at::Tensor& result, const std::optional<at::Tensor>& fp64,
        const Options& options)
      : options_(options), operands_(reference, result, fp64), equal_nan_(options.equal_nan) {
    output_.dtype = result.scalar_type();
    output_.sizes = result.sizes().vec();
  }

  Output Run() {
    // NaN equals NaN for the cosine, except between masks, which never get there.
    if (options_.cosine_similarity && output_.dtype != at::kBool) equal_nan_ = true;
    summary_ = Summarize(operands_, Near());
    if (options_.revision == Revision::kC) ScaleTolerance();
    Decide();
    FillIn();
    return std::move(output_);
  }

 private:
  Closeness Near() const {
    return {options_.tolerance, equal_nan_, scale_, /*by_truth=*/options_.revision == Revision::kC};
  }

  /// A second pass, where the first has allowed differences that are large beside small numbers.
  void ScaleTolerance() {
    scale_ = std::min(1.0, summary_.rms_size());
    if (summary_.max_abs > options_.tolerance * scale_) summary_ = Summarize(operands_, Near());
  }

  void Decide() {
    if (summary_.all_equal()) return Set(Rule::kEqual, true);
    if (output_.dtype == at::kBool) return DecideMask();
    if (summary_.mismatching == 0) return Set(summary_.confirmed > 0 ? Rule::kTruth : Rule::kAllClose, true);
    if (options_.cosine_similarity) return DecideCosine();
    if (HasFp64Rule()) return DecideFp64();
    DecideWithoutFp64();
  }

  void DecideMask() {
    if (options_.iou_for_bool && !options_.ignore_non_float) {
      output_.iou = IntersectionOverUnion(operands_);
      return Set(Rule::kIou, *output_.iou >= options_.iou_threshold);
    }
    if (summary_.mismatching == 0) return Set(Rule::kAllClose, true);
    DecideWithoutFp64();
  }

  void DecideCosine() {
    output_.cosine = CosineSimilarity(operands_);
    Set(Rule::kCosine, *output_.cosine >= kLeastCosine);
  }

  void DecideFp64() {
    if (options_.revision != Revision::kA && IsRescued()) return Set(Rule::kNanRescue, true);
    output_.multiplier = Multiplier(Case(), options_, options_.tolerance);
    Set(Rule::kFp64, PassesFp64Rule(summary_, *output_.multiplier, options_, options_.tolerance, scale_));
  }

  void DecideWithoutFp64() {
    const bool is_ignored =
        options_.ignore_non_float && c10::isIntegralType(output_.dtype, /*includeBool=*/true);
    if (is_ignored) return Set(Rule::kIgnored, true);
    Set(Rule::kAllClose, false);
  }

  /// A float64 reference is its own fp64 reference.
  bool HasFp64Rule() const {
    return IsDoublePrecision(operands_.fp64().tensor(), /*is_complex=*/operands_.parts() == 2);
  }

  bool IsRescued() const {
    if (summary_.reference.nan == 0 || summary_.fp64.nan > 0 || summary_.result.nan > 0) return false;
    const at::Tensor& result = operands_.result().tensor();
    const at::Tensor truth = operands_.fp64().tensor().to(result.scalar_type());
    return Summarize(ElementOperands(truth, result, std::nullopt), {kRescueTolerance}).mismatching == 0;
  }

  void FillIn() {
    output_.max_abs = summary_.max_abs;
    output_.rmse = summary_.rmse_between();
    output_.size = summary_.rms_size();
    output_.mismatching = summary_.mismatching;
    output_.confirmed = summary_.confirmed;
    output_.odd_on_one_side = summary_.nan_on_one_side + summary_.inf_on_one_side;
    output_.reference = summary_.reference;
    output_.result = summary_.result;
    if (operands_.has_fp64()) {
      output_.fp64 = summary_.fp64;
      output_.rmse_reference_fp64 = summary_.rmse_reference();
      output_.rmse_result_fp64 = summary_.rmse_result();
    }
    if (!output_.passes) output_.off = FindOffElements(operands_, Near());
    if (output_.passes && !options_.always_detail) return;
    DetailAndTolerance computed = ComputeDetail(operands_, equal_nan_, scale_);
    output_.detail = std::move(computed.detail);
    output_.smallest_tolerance = SmallestTolerance(computed.needed);
  }

  std::optional<double> SmallestTolerance(double needed_by_elements) const {
    switch (output_.rule) {
      case Rule::kEqual:
        return 0;
      case Rule::kAllClose:
      case Rule::kFp64:
        break;
      default:
        return std::nullopt;
    }
    if (!HasFp64Rule() || options_.cosine_similarity) return needed_by_elements;
    return std::min(needed_by_elements, SmallestFp64Tolerance(summary_, Case(), options_, scale_));
  }

  MultiplierCase Case() const { return {output_.sizes, output_.dtype}; }

  void Set(Rule rule, bool passes) {
    output_.rule = rule;
    output_.passes = passes;
  }

  const Options& options_;
  ElementOperands operands_;
  bool equal_nan_;
  double scale_ = 1;
  Summary summary_;
  Output output_;
};

}  // namespace

Output JudgeNumbers(const std::string& path, const at::Tensor& reference, const at::Tensor& result,
                    const std::optional<at::Tensor>& fp64, const Options& options) {
  const at::Tensor dense_result = Dense(result);
  const at::Tensor dense_reference = Dense(reference).to(dense_result.scalar_type());
  std::optional<at::Tensor> dense_fp64;
  if (fp64 && IsDoublePrecision(*fp64, dense_result.is_complex())) dense_fp64 = Dense(*fp64);
  Output output = Judge(dense_reference, dense_result, dense_fp64, options).Run();
  output.path = path;
  output.dtype = result.scalar_type();
  return output;
}

}  // namespace culprit::compare
