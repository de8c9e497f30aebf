// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/bind_symbols.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>

#include "base/text.h"
#include "graph/text/inputs/storage_equation.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

class SymbolBinder {
 public:
  SymbolBinder(const Source& source, const ExpressionArena& arena, Symbols& symbols)
      : source_(source), arena_(arena), symbols_(symbols) {}

  base::Status Visit(const Statement& statement) {
    const CallView outer(arena_, statement.value);
    // fill(reader.storage(...), contents)
    const CallView call(arena_, outer.name() == "fill" ? outer.Positional(0) : statement.value);
    if (call.name() == "reader.symint") return VisitInt(statement, call);
    if (call.name() == "reader.storage") VisitStorage(statement, call);
    if (call.name() == "reader.tensor") VisitTensor(call);
    return base::Done{};
  }

  base::Result<GuessedSymbols> Bind() {
    std::erase_if(in_order_, [&](std::string_view name) { return symbols_.contains(name); });
    const size_t unknown = in_order_.size();
    const size_t lines = ints_.size();
    const bool use_bytes = unknown > lines;
    for (size_t i = 0; use_bytes && i < equations_.size(); ++i) to_solve_.push_back(i);
    SolveAll();
    for (const std::string_view name : in_order_) {
      if (symbols_.contains(name) || ints_.empty()) continue;
      guessed_.from_symints.push_back(Set(name, ints_.front()));
      ints_.pop_front();
      if (use_bytes) Retry(name);
      SolveAll();
    }
    MakeUpUnbacked();
    std::erase_if(in_order_, [&](std::string_view name) { return symbols_.contains(name); });
    if (!in_order_.empty()) return Unknown(in_order_, unknown, lines);
    return std::move(guessed_);
  }

 private:
  // u0, u12
  static bool IsUnbacked(std::string_view name) {
    return name.size() > 1 && name[0] == 'u' &&
           name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }

  void MakeUpUnbacked() {
    constexpr int64_t kSize = 8;
    for (const std::string_view name : in_order_) {
      if (symbols_.contains(name) || !IsUnbacked(name)) continue;
      guessed_.made_up.push_back(Set(name, kSize));
      Retry(name);
      SolveAll();
    }
  }

  void Note(std::optional<ExpressionId> sizes, std::optional<size_t> equation) {
    if (!sizes) return;
    ForEachSymbol(arena_, *sizes, [&](std::string_view name) {
      if (name == "None") return;
      const auto [place, is_new] = equations_of_.try_emplace(name);
      if (is_new) in_order_.push_back(name);
      if (equation) place->second.push_back(*equation);
    });
  }

  // The quoted symbol of a symint line without value.
  void NoteUnbacked(std::string_view quoted) {
    const std::string_view name = quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
    if (IsUnbacked(name) && equations_of_.try_emplace(name).second) in_order_.push_back(name);
  }

  void VisitStorage(const Statement& statement, const CallView& call) {
    const std::optional<ExpressionId> bytes = call.Argument(1, "nbytes");
    if (!bytes) return;
    Note(*bytes, equations_.size());
    if (statement.targets.size() == 1)
      equation_by_name_[arena_[statement.targets[0]].text] = equations_.size();
    equations_.push_back({*bytes, {}});
  }

  void VisitTensor(const CallView& call) {
    const std::optional<ExpressionId> storage = call.Argument(0, "storage");
    const std::optional<ExpressionId> sizes = call.Argument(1, "shape");
    if (!storage || !sizes) return;
    const auto found = equation_by_name_.find(arena_[*storage].text);
    const auto equation =
        found == equation_by_name_.end() ? std::nullopt : std::optional<size_t>(found->second);
    WrittenTensor tensor{.sizes = *sizes, .strides = call.Argument(2, "stride")};
    if (tensor.strides && arena_[*tensor.strides].text == "None") tensor.strides.reset();
    tensor.offset = call.Keyword("storage_offset");
    Note(tensor.sizes, equation);
    Note(tensor.strides, equation);
    Note(tensor.offset, equation);
    if (const auto dtype = call.Keyword("dtype")) {
      tensor.dtype = DtypeFromName(arena_[*dtype].text).value_or(at::kFloat);
    }
    if (equation) equations_[*equation].tensors.push_back(tensor);
  }

  base::Status VisitInt(const Statement& statement, const CallView& call) {
    const std::optional<ExpressionId> value = call.Argument(0, "val");
    if (!value) return source_.Error(statement.offset, "symint needs a value");
    const std::optional<ExpressionId> expression = call.Argument(1, "expr");
    if (arena_[*value].text == "None") {
      if (expression) NoteUnbacked(arena_[*expression].text);
      return base::Done{};
    }
    const int64_t number = CULPRIT_TRY(EvaluateSize(source_, arena_, *value, symbols_));
    const auto text = expression ? StringFromText(arena_[*expression].text) : std::nullopt;
    const bool is_symbol = text && !text->empty() && text->find_first_of(" +-*/()%,") == std::string::npos;
    if (is_symbol && !symbols_.contains(*text)) {
      symbols_[*text] = number;
    } else {
      ints_.push_back(number);
    }
    return base::Done{};
  }

  std::string Set(std::string_view name, int64_t value) {
    symbols_[std::string(name)] = value;
    return fmt::format("{} = {}", name, value);
  }

  void Retry(std::string_view name) {
    const std::vector<size_t>& equations = equations_of_[name];
    to_solve_.insert(to_solve_.end(), equations.begin(), equations.end());
  }

  void SolveAll() {
    while (!to_solve_.empty()) {
      const size_t equation = to_solve_.front();
      to_solve_.pop_front();
      const std::optional<SolvedSymbol> solved = Solve(source_, arena_, equations_[equation], symbols_);
      if (!solved) continue;
      guessed_.from_bytes.push_back(Set(solved->name, solved->value));
      const auto line = std::find(ints_.begin(), ints_.end(), solved->value);
      if (line != ints_.end()) ints_.erase(line);
      Retry(solved->name);
    }
  }

  base::Diagnostic Unknown(const std::vector<std::string_view>& names, size_t unknown, size_t lines) const {
    const bool is_one = names.size() == 1;
    std::vector<std::string> quoted;
    constexpr size_t kListed = 20;
    for (size_t i = 0; i < std::min(names.size(), kListed); ++i)
      quoted.push_back(fmt::format("'{}'", base::Shortened(names[i])));
    if (names.size() > kListed) quoted.push_back(fmt::format("{} more", names.size() - kListed));
    const auto offset = static_cast<size_t>(names[0].data() - source_.text().data());
    base::Diagnostic error =
        source_.Error(offset, fmt::format("{} {} {} not defined", is_one ? "size" : "sizes",
                                          fmt::join(quoted, ", "), is_one ? "is" : "are"));
    error.notes.push_back(
        fmt::format("neither the symint lines ({} for {}) nor the bytes of the storages determine {}", lines,
                    base::Counted(unknown, "such size"), is_one ? "it" : "them"));
    for (std::string& note : guessed_.Notes()) error.notes.push_back(std::move(note));
    error.help = fmt::format("say what {}, in {} above the class: {} = 4", is_one ? "it is" : "they are",
                             is_one ? "a line" : "lines",
                             fmt::join(std::span(names).first(std::min(names.size(), kListed)), " = 4; "));
    return error;
  }

  const Source& source_;
  const ExpressionArena& arena_;
  Symbols& symbols_;
  std::vector<std::string_view> in_order_;
  std::deque<int64_t> ints_;
  std::vector<StorageEquation> equations_;
  std::unordered_map<std::string_view, size_t> equation_by_name_;
  std::unordered_map<std::string_view, std::vector<size_t>> equations_of_;
  std::deque<size_t> to_solve_;
  GuessedSymbols guessed_;
};

}  // namespace

std::vector<std::string> GuessedSymbols::Notes() const {
  std::vector<std::string> notes;
  constexpr std::string_view kFormat = "sizes that the file does not define were taken from {}: {}";
  if (!from_symints.empty())
    notes.push_back(fmt::format(kFormat, "its symint lines", fmt::join(from_symints, ", ")));
  if (!from_bytes.empty())
    notes.push_back(fmt::format(kFormat, "the bytes of its storages", fmt::join(from_bytes, ", ")));
  if (!made_up.empty())
    notes.push_back(fmt::format("sizes that depend on data were made up: {}", fmt::join(made_up, ", ")));
  return notes;
}

base::Result<GuessedSymbols> BindSymbols(const Source& source, const ExpressionArena& arena,
                                         const std::vector<Statement>& statements, Symbols& symbols) {
  SymbolBinder binder(source, arena, symbols);
  for (const Statement& statement : statements) CULPRIT_TRY(binder.Visit(statement));
  return binder.Bind();
}

}  // namespace culprit::graph::text
