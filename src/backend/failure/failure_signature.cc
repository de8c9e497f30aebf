// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/failure_signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/bounded_json.h"
#include "base/text.h"

namespace culprit::backend {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPhases[] = {"compile", "call", "compare", "backward"};
constexpr std::string_view kKinds[] = {
    "exception", "signal", "timeout",  "memory",        "exit",     "wrong values",  "NaN",
    "shape",     "dtype",  "aliasing", "mutated input", "gradient", "requires_grad", "non-deterministic",
};

std::string WhatHappened(const FailureSignature& signature) {
  switch (signature.kind) {
    case FailureKind::kException:
      return signature.exception_type.empty()
                 ? fmt::format("exception: {}", signature.message)
                 : fmt::format("exception {}: {}", signature.exception_type, signature.message);
    case FailureKind::kSignal:
      return fmt::format("signal {}", signature.signal);
    case FailureKind::kTimeout:
      return "time limit exceeded";
    case FailureKind::kMemory:
      return "memory limit exceeded";
    case FailureKind::kExit:
      return signature.exit_code ? fmt::format("exit with code {}", *signature.exit_code) : "exit";
    case FailureKind::kShape:
    case FailureKind::kDtype:
    case FailureKind::kAliasing:
    case FailureKind::kGradient:
    case FailureKind::kRequiresGrad:
      return fmt::format("wrong {}", NameOf(signature.kind));
    case FailureKind::kNonDeterministic:
      return "results that vary from run to run";
    default:
      return std::string(NameOf(signature.kind));
  }
}

class JsonReader {
 public:
  base::Result<FailureSignature> Read(const Json& json) {
    if (!json.is_object()) return Diagnostic{{}, "the signature of a failure is not a JSON object"};
    for (const auto& [name, value] : json.items()) CULPRIT_TRY(ReadKey(name, value));
    for (const std::string_view name : {"phase", "kind"}) {
      if (!json.contains(name))
        return Diagnostic{{}, fmt::format("the signature of a failure lacks '{}'", name)};
    }
    return std::move(signature_);
  }

 private:
  Status ReadKey(const std::string& name, const Json& json) {
    if (name == "phase") return ReadName<FailurePhase>(name, json, kPhases, signature_.phase);
    if (name == "kind") return ReadName<FailureKind>(name, json, kKinds, signature_.kind);
    if (name == "call") return ReadInteger(name, json, 0, signature_.call);
    if (name == "message") return ReadString(name, json, signature_.message);
    if (name == "exception") return ReadString(name, json, signature_.exception_type);
    if (name == "signal") return ReadString(name, json, signature_.signal);
    if (name == "exit_code") return ReadInteger(name, json, INT32_MIN, signature_.exit_code.emplace());
    if (name == "frames") return ReadFrames(json);
    if (name == "output") return ReadString(name, json, signature_.guilty_output);
    static constexpr std::string_view kKeys[] = {"phase",  "kind",      "call",   "message", "exception",
                                                 "signal", "exit_code", "frames", "output"};
    return Diagnostic{{},
                      fmt::format("the signature of a failure has no '{}'{}", base::Printable(name),
                                  base::DidYouMean(name, kKeys))};
  }

  static Diagnostic Wrong(std::string_view name, std::string_view expected) {
    return {{}, fmt::format("'{}' of the signature of a failure must be {}", name, expected)};
  }

  template <typename Enum>
  static Status ReadName(std::string_view name, const Json& json, std::span<const std::string_view> names,
                         Enum& value) {
    const auto* text = json.get_ptr<const Json::string_t*>();
    const auto found = text == nullptr ? names.end() : std::ranges::find(names, std::string_view(*text));
    if (found == names.end()) return Wrong(name, fmt::format("one of {}", fmt::join(names, ", ")));
    return value = static_cast<Enum>(found - names.begin()), Done{};
  }

  static Status ReadString(std::string_view name, const Json& json, std::string& value) {
    if (!json.is_string()) return Wrong(name, "a string");
    return value = json.get<std::string>(), Done{};
  }

  static Status ReadInteger(std::string_view name, const Json& json, int64_t least, int& value) {
    if (!json.is_number_integer() || json < least || json > INT32_MAX)
      return Wrong(name, fmt::format("an integer from {} to {}", least, INT32_MAX));
    return value = json.get<int>(), Done{};
  }

  Status ReadFrames(const Json& json) {
    const bool are_strings =
        json.is_array() && std::ranges::all_of(json, [](const Json& frame) { return frame.is_string(); });
    if (!are_strings) return Wrong("frames", "a list of strings");
    for (const Json& frame : json) signature_.frames.push_back(frame.get<std::string>());
    return Done{};
  }

  FailureSignature signature_;
};

}  // namespace

std::string_view NameOf(FailurePhase phase) {
  return kPhases[static_cast<size_t>(phase)];
}

std::string_view NameOf(FailureKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

bool IsAboutNumbers(FailureKind kind) {
  constexpr FailureKind kAboutNumbers[] = {FailureKind::kWrongValues, FailureKind::kNan,
                                           FailureKind::kMutatedInput, FailureKind::kGradient};
  return std::ranges::count(kAboutNumbers, kind) > 0;
}

std::string FailureSignature::ToString() const {
  const bool is_call = phase == FailurePhase::kCall;
  std::string text(NameOf(phase));
  if (is_call && call > 0) text += fmt::format(" {}", call);
  text += fmt::format(": {}", WhatHappened(*this));
  if (!frames.empty()) text += fmt::format(" in {}", frames.front());
  if (!guilty_output.empty()) text += fmt::format(" in {}", guilty_output);
  if (!is_call && call > 0) text += fmt::format(" (call {})", call);
  return base::Printable(text);
}

std::string FailureSignature::ToJson() const {
  Json json;
  json["phase"] = NameOf(phase);
  if (call != 0) json["call"] = call;
  json["kind"] = NameOf(kind);
  if (!message.empty()) json["message"] = message;
  if (!exception_type.empty()) json["exception"] = exception_type;
  if (!signal.empty()) json["signal"] = signal;
  if (exit_code) json["exit_code"] = *exit_code;
  if (!frames.empty()) json["frames"] = frames;
  if (!guilty_output.empty()) json["output"] = guilty_output;
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

base::Result<FailureSignature> FailureSignature::FromJson(std::string_view json) {
  return JsonReader().Read(CULPRIT_TRY(base::ParseBoundedJson(json, "the signature of a failure")));
}

}  // namespace culprit::backend
