// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/forgiven.h"

#include <algorithm>
#include <regex>
#include <string_view>

namespace culprit::tests {
namespace {

constexpr std::string_view kWritten =
    "one of the variables needed for gradient computation has been modified";
constexpr std::string_view kFreed = "Trying to backward through the graph a second time";

/// "c10::Error : text" => "text"
std::string WithoutClass(const std::string& error) {
  return error.substr(error.find(": ") + 2);
}

std::string Essence(const std::string& error) {
  static const std::regex tensor(
      R"(\[\w+ \[[\d, ]*\]\](, which is an output of a node,)? is at version \d+; expected version \d+ instead)");
  const std::string text = WithoutClass(error);
  return text.starts_with(kWritten) ? std::regex_replace(text, tensor, "") : text;
}

bool IsWritten(const std::string& error) {
  return WithoutClass(error).starts_with(kWritten);
}

bool IsRefusal(const std::string& error) {
  return IsWritten(error) || WithoutClass(error).starts_with(kFreed);
}

bool AreAlike(const std::string& expected, const std::string& actual) {
  return Essence(expected) == Essence(actual) || (IsRefusal(expected) && IsRefusal(actual));
}

bool HasFact(const Observation& observation, const Fact& fact) {
  return std::ranges::find(observation.facts, fact) != observation.facts.end();
}

bool EndTheSameWay(const Observation& expected, const Observation& actual) {
  const auto exception = std::ranges::find(expected.facts, "exception", &Fact::first);
  return exception != expected.facts.end() && HasFact(actual, *exception);
}

/// Goes through both at once.
class Forgiving {
 public:
  Forgiving(const Observation& expected, const Observation& actual, bool recomputes)
      : expected_(expected),
        actual_(actual),
        recomputes_(recomputes),
        both_threw_(EndTheSameWay(expected, actual)) {}

  Forgiven Run() {
    for (const Fact& fact : expected_.facts) {
      if (fact.first == "backward") {
        has_failed_ = true;
        const bool both_failed = Next().first == "backward";
        if (!both_failed && IsRefusal(fact.second)) continue;
        Add(both_failed && AreAlike(fact.second, Next().second) ? Next() : fact);
      } else {
        if (recomputes_ && Next().first == "backward" && IsWritten(Next().second)) {
          has_failed_ = true;
          Add(Next());
        }
        const bool forgives = IsForgiven(fact.first) && Next().first == fact.first;
        forgiven_.has_lost_writes |= forgives && !has_failed_ && Next() != fact;
        Add(forgives ? Next() : fact);
      }
    }
    return std::move(forgiven_);
  }

 private:
  const Fact& Next() const {
    static const Fact kNone;
    const size_t next = forgiven_.wanted.facts.size();
    return next < actual_.facts.size() ? actual_.facts[next] : kNone;
  }
  void Add(const Fact& fact) { forgiven_.wanted.facts.push_back(fact); }

  bool IsForgiven(const std::string& name) const {
    if (has_failed_) return name.starts_with("gradient of");
    return both_threw_ && (name.starts_with("input ") || name == "module" || name == "base");
  }

  const Observation& expected_;
  const Observation& actual_;
  const bool recomputes_;
  const bool both_threw_;
  bool has_failed_ = false;
  Forgiven forgiven_;
};

}  // namespace

Forgiven Forgive(const Observation& expected, const Observation& actual, bool recomputes) {
  return Forgiving(expected, actual, recomputes).Run();
}

}  // namespace culprit::tests
