// SPDX-License-Identifier: Apache-2.0
#include "ranks/view_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace culprit::ranks {
namespace {

using base::Diagnostic;
using base::Result;
using capture::BreakView;
using capture::InputView;
using capture::PlaceView;
using Json = nlohmann::json;

constexpr int kVersion = 1;

/// Bytes that are no UTF-8 can stand in names; JSON has no place for them.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json JsonOf(const InputView& input) {
  Json json = {{"name", input.name}, {"type", input.type}};
  if (!input.sizes.empty()) json["sizes"] = input.sizes;
  if (!input.strides.empty()) json["strides"] = input.strides;
  if (input.number) json["number"] = *input.number;
  return json;
}

Diagnostic Wrong(std::string_view key) {
  return {{}, fmt::format("has no right '{}'", key)};
}

Result<std::string> Text(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return Wrong(key);
  return found->get<std::string>();
}

Result<std::vector<int64_t>> Numbers(const Json& json, const char* key) {
  std::vector<int64_t> numbers;
  const auto found = json.find(key);
  if (found == json.end()) return numbers;
  if (!found->is_array()) return Wrong(key);
  for (const Json& element : *found) {
    if (!element.is_number_integer()) return Wrong(key);
    numbers.push_back(element.get<int64_t>());
  }
  return numbers;
}

Result<InputView> InputOf(const Json& json) {
  if (!json.is_object()) return Wrong("inputs");
  InputView input = {.name = CULPRIT_TRY(Text(json, "name")),
                     .type = CULPRIT_TRY(Text(json, "type")),
                     .sizes = CULPRIT_TRY(Numbers(json, "sizes")),
                     .strides = CULPRIT_TRY(Numbers(json, "strides"))};
  const auto number = json.find("number");
  if (number == json.end()) return input;
  if (!number->is_number_integer()) return Wrong("number");
  input.number = number->get<int64_t>();
  return input;
}

Result<std::optional<BreakView>> BreakOf(const Json& json) {
  const auto found = json.find("break");
  if (found == json.end()) return std::optional<BreakView>();
  if (!found->is_object()) return Wrong("break");
  return std::optional(BreakView{.code = CULPRIT_TRY(Text(*found, "code")),
                                 .reason = CULPRIT_TRY(Text(*found, "reason")),
                                 .place = CULPRIT_TRY(Text(*found, "place"))});
}

}  // namespace

std::string TextOf(const PlaceView& view) {
  Json inputs = Json::array();
  for (const InputView& input : view.inputs) inputs.push_back(JsonOf(input));
  Json json = {{"version", kVersion},
               {"place", view.place},
               {"inputs", std::move(inputs)},
               {"operators", view.operators},
               {"failed_guard", view.failed_guard}};
  if (view.end) {
    json["break"] = {{"code", view.end->code}, {"reason", view.end->reason}, {"place", view.end->place}};
  }
  if (!view.refusal.empty()) json["refusal"] = view.refusal;
  std::string text = Dump(json);
  if (text.size() <= kLargestView) return text;
  return Dump({{"version", kVersion}, {"bytes", text.size()}});
}

Result<PlaceView> ViewOf(std::string_view text) {
  if (text.size() > kLargestView) {
    return Diagnostic{{}, fmt::format("has {}", base::HumanBytes(text.size()))};
  }
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Diagnostic{{}, "is no JSON object"};
  const auto version = json.find("version");
  if (version == json.end() || *version != kVersion) {
    return Diagnostic{{}, "is of another version of Culprit"};
  }
  const auto bytes = json.find("bytes");
  if (bytes != json.end() && bytes->is_number_unsigned()) {
    return Diagnostic{{},
                      fmt::format("would have {}, and at most {} are sent",
                                  base::HumanBytes(bytes->get<uint64_t>()), base::HumanBytes(kLargestView))};
  }
  PlaceView view = {.place = CULPRIT_TRY(Text(json, "place")),
                    .end = CULPRIT_TRY(BreakOf(json)),
                    .failed_guard = CULPRIT_TRY(Text(json, "failed_guard"))};
  if (json.contains("refusal")) view.refusal = CULPRIT_TRY(Text(json, "refusal"));
  const auto operators = json.find("operators");
  if (operators == json.end() || !operators->is_number_unsigned()) return Wrong("operators");
  view.operators = operators->get<uint64_t>();
  const auto inputs = json.find("inputs");
  if (inputs == json.end() || !inputs->is_array()) return Wrong("inputs");
  for (const Json& input : *inputs) view.inputs.push_back(CULPRIT_TRY(InputOf(input)));
  return view;
}

}  // namespace culprit::ranks
