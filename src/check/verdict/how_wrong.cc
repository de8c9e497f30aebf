// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/how_wrong.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace culprit::check {
namespace {

using nlohmann::json;

int64_t ElementsOf(const compare::Output& output) {
  int64_t elements = 1;
  for (const int64_t size : output.sizes) elements *= size;
  return elements;
}

std::string CountText(int64_t count, int64_t elements, std::string_view what) {
  if (elements == 1) return fmt::format("the only element is {}", what);
  return fmt::format("{} of {} elements {} {}", count, elements, count == 1 ? "is" : "are", what);
}

/// JSON has no infinity.
json Number(double number) {
  return std::isfinite(number) ? json(number) : json("inf");
}

double NumberFrom(const json& number) {
  return number.is_string() ? INFINITY : number.get<double>();
}

}  // namespace

std::string HowWrong::NonFiniteAsText() const {
  if (nan > 0) return CountText(nan, elements, "NaN");
  if (inf > 0) return CountText(inf, elements, "infinite");
  return "";
}

std::string HowWrong::ToString() const {
  if (!structure.empty()) return structure;
  std::string text = NonFiniteAsText();
  if (text.empty()) text = CountText(wrong, elements, "wrong");
  if (std::isfinite(max_abs)) {
    text += fmt::format(", by up to {:.3g}", max_abs);
    if (std::isfinite(max_rel)) text += fmt::format(" (relative {:.3g})", max_rel);
  }
  // Of what is no number there is no distance.
  const bool has_noise = times_noise && std::isfinite(*times_noise) && NonFiniteAsText().empty();
  return has_noise ? text + fmt::format(", {:.2g} times the noise", *times_noise) : text;
}

HowWrong HowWrongIs(const compare::Output& output) {
  HowWrong how{.elements = ElementsOf(output),
               .wrong = output.mismatching,
               .nan = std::max<int64_t>(0, output.result.nan - output.reference.nan),
               .inf = std::max<int64_t>(0, output.result.inf - output.reference.inf),
               .max_abs = output.max_abs};
  how.max_rel = output.detail ? output.detail->max_rel : INFINITY;
  if (output.noise) how.times_noise = output.noise->factor;
  return how;
}

json HowWrongToJson(const HowWrong& how) {
  json object{{"elements", how.elements},
              {"wrong", how.wrong},
              {"nan", how.nan},
              {"inf", how.inf},
              {"max_abs", Number(how.max_abs)},
              {"max_rel", Number(how.max_rel)}};
  if (how.times_noise) object["times_noise"] = Number(*how.times_noise);
  if (!how.structure.empty()) object["structure"] = how.structure;
  return object;
}

HowWrong HowWrongFromJson(const json& object) {
  HowWrong how{.elements = object.at("elements"),
               .wrong = object.at("wrong"),
               .nan = object.at("nan"),
               .inf = object.at("inf"),
               .max_abs = NumberFrom(object.at("max_abs")),
               .max_rel = NumberFrom(object.at("max_rel"))};
  if (object.contains("times_noise")) how.times_noise = NumberFrom(object.at("times_noise"));
  how.structure = object.value("structure", "");
  return how;
}

}  // namespace culprit::check
