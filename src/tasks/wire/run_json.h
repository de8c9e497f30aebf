// SPDX-License-Identifier: Apache-2.0
//
// What a run of a graph has shown, on the wire.
#pragma once

#include "check/one_run/compiled_run.h"
#include "check/one_run/eager_run.h"
#include "check/question/question.h"
#include "check/verdict/finding_json.h"
#include "tasks/wire/optional_json.h"

namespace nlohmann {
/// An integer stays one.
template <>
struct adl_serializer<culprit::check::Number> {
  static void to_json(json& object, const culprit::check::Number& number) {
    std::visit([&](auto value) { object = value; }, number);
  }
  static void from_json(const json& object, culprit::check::Number& number) {
    if (object.is_number_float()) {
      number = object.get<double>();
    } else {
      number = object.get<int64_t>();
    }
  }
};
}  // namespace nlohmann

namespace culprit::compare {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Mismatch, kind, path, message, is_noise)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NonFinite, nan, inf)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorstElement, index, reference, result, fp64)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Histogram, equal, decades, not_finite)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Detail, max_rel, max_ulp, worst, histogram)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Noise, repeated, fp64, nudged, floor, factor, mismatching, odd_on_one_side)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OffElement, place, error, moved)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Output, path, dtype, sizes, passes, rule, max_abs, rmse, size,
                                   rmse_reference_fp64, rmse_result_fp64, multiplier, cosine, iou,
                                   mismatching, confirmed, odd_on_one_side, reference, result, fp64,
                                   smallest_tolerance, detail, off, noise)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, mismatches, outputs)
}  // namespace culprit::compare

namespace culprit::backend {
inline void to_json(nlohmann::json& object, const FailureSignature& signature) {
  object = signature.ToJson();
}
inline void from_json(const nlohmann::json& object, FailureSignature& signature) {
  const base::Result<FailureSignature> read = FailureSignature::FromJson(object.get<std::string>());
  CULPRIT_CHECK(read.ok(), "{}", read.error().message);
  signature = *read;
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(QuestionVerdict, answer, signature, reason)
}  // namespace culprit::backend

namespace culprit::check {
inline void to_json(nlohmann::json& object, const Finding& finding) {
  object = FindingToJson(finding);
}
inline void from_json(const nlohmann::json& object, Finding& finding) {
  const base::Result<Finding> read = FindingFromJson(object.get<std::string>());
  CULPRIT_CHECK(read.ok(), "{}", read.error().message);
  finding = *read;
}
/// The exception itself stays in its process.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunFailure, phase, message, call, type)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CheckResult, status, message, help, failure, verdict, varies, warnings,
                                   unwritten_inputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Rounding, dtype, tolerance)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Judgement, check, tolerance, rounding, against)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompiledRun, judgement, finding, sample, only_ran)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ElementRange, minimum, maximum, mean)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutputSummary, name, type, sizes, nans, infinities, range)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Distance, max_abs, max_rel)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EagerRun, outputs, distances)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(QuestionReply, verdict, finding, queries)
}  // namespace culprit::check
