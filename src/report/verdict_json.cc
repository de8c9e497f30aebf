// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "compare/verdict/verdict.h"
#include "graph/text/syntax/literal.h"
#include "report/json_number.h"
#include "report/verdict_table.h"

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const compare::NonFinite& counts) {
  return {{"nan", counts.nan}, {"inf", counts.inf}};
}

void Add(Json& json, const char* key, const std::optional<double>& number) {
  if (number) json[key] = JsonNumber(*number);
}

Json ToJson(const c10::complex<double>& number) {
  if (number.imag() == 0) return JsonNumber(number.real());
  return {JsonNumber(number.real()), JsonNumber(number.imag())};
}

Json ToJson(const compare::Detail& detail) {
  Json json = {{"max_rel", JsonNumber(detail.max_rel)}, {"max_ulp", detail.max_ulp}};
  if (detail.worst) {
    json["worst"] = {{"index", detail.worst->index},
                     {"reference", ToJson(detail.worst->reference)},
                     {"result", ToJson(detail.worst->result)}};
    if (detail.worst->fp64) json["worst"]["fp64"] = ToJson(*detail.worst->fp64);
  }
  json["histogram"] = {{"equal", detail.histogram.equal},
                       {"first_decade", compare::Histogram::kFirst},
                       {"decades", detail.histogram.decades},
                       {"not_finite", detail.histogram.not_finite}};
  return json;
}

Json ToJson(const compare::Noise& noise) {
  Json json = {{"floor", JsonNumber(noise.floor)}, {"factor", JsonNumber(noise.factor)}};
  Add(json, "repeated", noise.repeated);
  Add(json, "fp64", noise.fp64);
  Add(json, "nudged", noise.nudged);
  return json;
}

Json ToJson(const compare::Output& output) {
  Json json = {{"output", output.path},          {"dtype", graph::text::NameOf(output.dtype)},
               {"sizes", output.sizes},          {"passes", output.passes},
               {"rule", NameOf(output.rule)},    {"max_abs", JsonNumber(output.max_abs)},
               {"rmse", JsonNumber(output.rmse)}};
  Add(json, "rmse_reference_fp64", output.rmse_reference_fp64);
  Add(json, "rmse_result_fp64", output.rmse_result_fp64);
  Add(json, "multiplier", output.multiplier);
  Add(json, "cosine", output.cosine);
  Add(json, "iou", output.iou);
  json["mismatching"] = output.mismatching;
  json["reference"] = ToJson(output.reference);
  json["result"] = ToJson(output.result);
  Add(json, "smallest_tolerance", output.smallest_tolerance);
  if (output.detail) json["detail"] = ToJson(*output.detail);
  if (output.noise) json["noise"] = ToJson(*output.noise);
  return json;
}

}  // namespace

Json VerdictAsJson(const check::Judgement& judgement) {
  const check::CheckResult& check = judgement.check;
  const compare::Verdict& verdict = check.verdict;
  Json json = {{"status", NameOf(check.status)},
               {"passes", check.status == check::CheckStatus::kSame},
               {"tolerance", judgement.tolerance},
               {"warnings", check.warnings},
               {"unwritten_inputs", check.unwritten_inputs},
               {"mismatches", Json::array()},
               {"outputs", Json::array()}};
  for (const compare::Mismatch& mismatch : verdict.mismatches) {
    json["mismatches"].push_back(
        {{"output", mismatch.path}, {"kind", NameOf(mismatch.kind)}, {"message", mismatch.message}});
  }
  for (const compare::Output& output : verdict.outputs) json["outputs"].push_back(ToJson(output));
  return json;
}

}  // namespace culprit::report
