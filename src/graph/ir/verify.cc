// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "graph/ir/bind.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

// Python's keywords and constants, and the names that the text form uses itself.
constexpr std::array<std::string_view, 46> kReservedNames = {
    "False",   "None",     "True", "and",      "as",   "assert",   "async",  "await",   "break",  "class",
    "complex", "continue", "def",  "del",      "elif", "else",     "except", "finally", "float",  "for",
    "from",    "global",   "if",   "import",   "in",   "inf",      "int",    "is",      "lambda", "math",
    "max",     "min",      "nan",  "nonlocal", "not",  "operator", "or",     "pass",    "raise",  "return",
    "self",    "torch",    "try",  "while",    "with", "yield"};

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), defined_(graph.values().size(), false) {}

  Status Run() {
    CULPRIT_TRY(CheckNames());
    for (const Placeholder& placeholder : graph_.placeholders()) CULPRIT_TRY(Define(placeholder.value));
    for (const TensorConstant& constant : graph_.constants()) {
      CULPRIT_TRY(Define(constant.value));
      if (!constant.tensor.defined()) return Wrong("tensor constant '{}' has no data", Name(constant.value));
    }
    for (const Node& node : graph_.nodes()) CULPRIT_TRY(CheckNode(node));
    return CheckOutputs();
  }

 private:
  template <typename... Args>
  static Diagnostic Wrong(fmt::format_string<Args...> format, Args&&... args) {
    return {{}, "invalid graph: " + fmt::format(format, std::forward<Args>(args)...)};
  }

  const std::string& Name(ValueId id) const { return graph_.value(id).name; }

  Status CheckNames() {
    std::unordered_set<std::string_view> seen;
    for (const Value& value : graph_.values()) {
      if (!IsValidName(value.name)) return Wrong("'{}' cannot be a value's name", value.name);
      if (!seen.insert(value.name).second) return Wrong("two values are named '{}'", value.name);
    }
    return Done{};
  }

  Status Define(ValueId id) {
    if (Index(id) >= defined_.size()) return Wrong("there is no value {}", Index(id));
    if (defined_[Index(id)]) return Wrong("'{}' is defined twice", Name(id));
    defined_[Index(id)] = true;
    return Done{};
  }

  Status CheckUses(const Argument& argument, std::string_view user) {
    Status status = Done{};
    ForEachValue(argument, [&](ValueId id) {
      if (!status.ok()) return;
      if (Index(id) >= defined_.size()) {
        status = Wrong("{} uses value {}, which does not exist", user, Index(id));
      } else if (!defined_[Index(id)]) {
        status = Wrong("{} uses '{}' before it is defined", user, Name(id));
      }
    });
    return status;
  }

  Status CheckNode(const Node& node) {
    const std::string name = node.op->qualified_name();
    if (node.arguments.size() != node.op->slots().size()) {
      return Wrong("{} has {} arguments instead of {}", name, node.arguments.size(), node.op->slots().size());
    }
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      CULPRIT_TRY(CheckUses(node.arguments[i], name));
      const std::optional<Argument> conformed = Conform(graph_, node.op->slots()[i], node.arguments[i]);
      if (!conformed || !(*conformed == node.arguments[i])) {
        return Wrong("argument '{}' of {} is not {} in normal form", node.op->schema().arguments()[i].name(),
                     name, node.op->slots()[i].ToString());
      }
    }
    for (const ValueId result : node.results) CULPRIT_TRY(Define(result));
    return Done{};
  }

  Status CheckOutputs() {
    for (const Argument& output : graph_.outputs()) {
      if (output.is_list()) return Wrong("an output is a list");
      CULPRIT_TRY(CheckUses(output, "the output"));
    }
    return Done{};
  }

  const Graph& graph_;
  std::vector<bool> defined_;
};

}  // namespace

Status Verify(const Graph& graph) {
  return Verifier(graph).Run();
}

void VerifyPass([[maybe_unused]] const Graph& graph, [[maybe_unused]] const char* when,
                [[maybe_unused]] const char* pass) {
#ifdef CULPRIT_VERIFY_PASSES
  const Status status = Verify(graph);
  CULPRIT_CHECK(status.ok(), "{} {}: {}", when, pass, status.error().message);
#endif
}

bool IsValidName(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto letter_or_digit = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !letter(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), letter_or_digit)) return false;
  return !std::binary_search(kReservedNames.begin(), kReservedNames.end(), name);
}

}  // namespace culprit::graph
