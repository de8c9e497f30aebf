// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/plan.h"

#include <algorithm>
#include <map>

#include "base/bounded_json.h"
#include "base/text.h"
#include "hunt/run/reply_json.h"

namespace culprit::hunt {
namespace {

using nlohmann::ordered_json;

std::string_view NameOf(backend::MatchMode mode) {
  return std::ranges::find(backend::kMatchModes, mode, &backend::MatchModeDescription::mode)->name;
}

}  // namespace

bool IsMarginal(const Plan& plan) {
  const backend::FailureSignature& signature = plan.expected.signature;
  return plan.judge.empty() && !plan.expected.is_clear &&
         signature.phase == backend::FailurePhase::kCompare && IsAboutNumbers(signature.kind);
}

std::string PlanToJson(const Plan& plan) {
  ordered_json object{{"event", "begin"},
                      {"expected", ordered_json::parse(plan.expected.signature.ToJson())},
                      {"match", NameOf(plan.expected.match)},
                      {"repeats", plan.expected.repeats},
                      {"clear", plan.expected.is_clear},
                      {"strategies", plan.strategies}};
  if (!plan.judge.empty()) object["judge"] = plan.judge;
  object["first"] = ReplyToJson(plan.first);
  object["sources"] = plan.sources;
  object["costs"] = std::map<std::string, double>(plan.costs.by_name().begin(), plan.costs.by_name().end());
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

base::Result<Plan> PlanFromJson(std::string_view line) {
  Plan plan;
  try {
    const ordered_json object = CULPRIT_TRY(base::ParseBoundedJson(line, "the beginning of the trace"));
    plan.expected.signature = CULPRIT_TRY(backend::FailureSignature::FromJson(object.at("expected").dump()));
    plan.expected.match = CULPRIT_TRY(backend::ParseMatchMode(object.at("match").get<std::string>()));
    plan.expected.is_clear = object.value("clear", false);
    plan.expected.repeats = std::clamp(object.at("repeats").get<int>(), 1, check::kMostRepeats);
    object.at("strategies").get_to(plan.strategies);
    plan.judge = object.value("judge", "");
    plan.first = CULPRIT_TRY(ReplyFromJson(object.at("first")));
    object.at("sources").get_to(plan.sources);
    for (auto& [name, source] : plan.sources) source = base::Printable(source);
    plan.costs = minify::Costs(object.at("costs").get<minify::Costs::ByName>());
  } catch (const nlohmann::json::exception& error) {
    return base::Diagnostic{{}, std::string("not the beginning of a trace: ") + error.what()};
  }
  return plan;
}

}  // namespace culprit::hunt
