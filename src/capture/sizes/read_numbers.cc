// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/read_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "graph/sizes/generalise/formulas.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using graph::sizes::Condition;
using graph::sizes::Expression;
using graph::sizes::Numbers;
using graph::sizes::Operation;
using graph::sizes::Relation;
using graph::sizes::Samples;

struct ArithmeticRow {
  std::string_view name;
  Operation operation;
};
constexpr ArithmeticRow kArithmetic[] = {
    {"aten::add", Operation::kAdd},          {"aten::sub", Operation::kSubtract},
    {"aten::mul", Operation::kMultiply},     {"aten::floordiv", Operation::kFloorDivide},
    {"aten::remainder", Operation::kModulo}, {"prim::min", Operation::kMinimum},
    {"prim::max", Operation::kMaximum},
};

/// The same for all elements of a list.
constexpr ArithmeticRow kOverLists[] = {
    {"aten::prod", Operation::kMultiply},
    {"aten::sum", Operation::kAdd},
    {"prim::min", Operation::kMinimum},
    {"prim::max", Operation::kMaximum},
};

struct ComparisonRow {
  std::string_view name;
  Relation relation;
};
constexpr ComparisonRow kComparisons[] = {
    {"aten::eq", Relation::kEqual},   {"aten::ne", Relation::kNotEqual},
    {"aten::lt", Relation::kLess},    {"aten::le", Relation::kLessEqual},
    {"aten::gt", Relation::kGreater}, {"aten::ge", Relation::kGreaterEqual},
};

/// They make text of numbers. A text that differs is noticed where it is kept.
constexpr std::string_view kWriting[] = {"aten::format", "aten::str", "aten::percentFormat"};

/// They move numbers in and out of containers, and tensors of known numbers; the number of arguments that are
/// moved and not looked at.
struct ContainerRow {
  std::string_view name;
  size_t moved;
};
constexpr ContainerRow kContainers[] = {
    {"aten::__getitem__", 0},
    {"aten::_set_item", 1},
    {"aten::add", 1},
    {"aten::add_", 1},
    {"aten::alias", 0},
    {"aten::append", 1},
    {"aten::cat", 0},
    {"aten::clear", 0},
    {"aten::clone", 0},
    {"aten::contiguous", 0},
    {"aten::copy", 0},
    {"aten::detach", 0},
    {"aten::extend", 1},
    {"aten::flatten", 0},
    {"aten::insert", 1},
    {"aten::len", 0},
    {"aten::lift_fresh", 0},
    {"aten::lift_fresh_copy", 0},
    {"aten::list", 1},
    {"aten::pop", 0},
    {"aten::reverse", 0},
    {"aten::select", 0},
    {"aten::slice", 0},
    {"aten::squeeze", 0},
    {"aten::stack", 0},
    {"aten::unbind", 0},
    {"aten::unsqueeze", 0},
    {"aten::view", 0},
    {"prim::ListUnpack", 0},
    {"prim::TupleIndex", 0},
    {"prim::TupleUnpack", 0},
    {"prim::unchecked_cast", 0},
    {"prim::unchecked_unwrap_optional", 0},
    {"aten::_unwrap_optional", 0},
};

template <typename Row, size_t size>
const Row* Find(const Row (&rows)[size], std::string_view name) {
  const auto* row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? nullptr : row;
}

/// One number in all walks.
struct Number {
  Samples samples;
  /// Whether it is the same in all of them.
  bool is_same = true;
  /// Whether it is no whole number in some.
  bool is_broken = false;
};

Number Collect(const std::vector<const NumberLog*>& logs, size_t event, bool is_result, size_t index) {
  Number number;
  double first = 0;
  for (const NumberLog* log : logs) {
    const NumberEvent& each = log->events()[event];
    const IValue& value = (is_result ? each.results : each.arguments)[index];
    const double real = value.isDouble() ? value.toDouble() : 0;
    number.samples.push_back(value.isInt()    ? value.toInt()
                             : value.isBool() ? (value.toBool() ? 1 : 0)
                                              : static_cast<int64_t>(real));
    number.is_broken = number.is_broken || std::trunc(real) != real || std::abs(real) > 1e15;
    if (log == logs[0]) first = real;
    number.is_same = number.is_same && number.samples.back() == number.samples[0] &&
                     (real == first || (std::isnan(real) && std::isnan(first)));
  }
  return number;
}

class Reader {
 public:
  Reader(const std::vector<const NumberLog*>& logs,
         const std::vector<const graph::sizes::SizedGraph*>& graphs, const std::vector<CodeOrigin>& origins,
         Numbers& numbers, ReadConditions& conditions)
      : logs_(logs), graphs_(graphs), origins_(origins), numbers_(numbers), conditions_(conditions) {}

  std::optional<RefusedNumber> Run() {
    for (size_t i = 0; i < logs_[0]->events().size(); ++i) {
      LearnUpTo(logs_[0]->events()[i].operators);
      if (!Read(i)) return Refuse(i);
      KeepCoincidences(logs_[0]->events()[i].origin);
    }
    LearnUpTo(graphs_[0]->graph.nodes().size());
    return std::nullopt;
  }

 private:
  void LearnUpTo(size_t node) {
    for (; learned_ < node; ++learned_) {
      graph::sizes::LearnFormulas(graphs_, graph::NodeId(learned_), numbers_);
      KeepCoincidences(origins_[learned_]);
    }
  }

  void KeepCoincidences(const CodeOrigin& origin) {
    for (const Numbers::Coincidence& each : numbers_.TakeCoincidences())
      AddTo(conditions_.coincidences, origin, graph::sizes::Equality(each.computed, each.taken));
  }

  RefusedNumber Refuse(size_t index) const {
    const NumberEvent& event = logs_[0]->events()[index];
    std::vector<size_t> symbols;
    for (const std::vector<Number>* numbers : {&arguments_, &results_}) {
      for (const Number& number : *numbers) {
        for (const size_t symbol : numbers_.SymbolsIn(number.samples)) symbols.push_back(symbol);
      }
    }
    std::ranges::sort(symbols);
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    return {event.origin, std::string(event.op), std::move(symbols)};
  }

  bool Gather(size_t index) {
    arguments_.clear();
    results_.clear();
    const NumberEvent& event = logs_[0]->events()[index];
    for (const NumberLog* log : logs_) {
      const NumberEvent& other = log->events()[index];
      if (other.ends != event.ends || other.results.size() != event.results.size()) return false;
    }
    for (size_t i = 0; i < event.arguments.size(); ++i) arguments_.push_back(Collect(logs_, index, false, i));
    for (size_t i = 0; i < event.results.size(); ++i) results_.push_back(Collect(logs_, index, true, i));
    return true;
  }

  bool Read(size_t index) {
    if (!Gather(index)) return false;
    const NumberEvent& event = logs_[0]->events()[index];
    // What a tensor says of itself is found in the graph.
    if (std::ranges::all_of(arguments_, &Number::is_same)) return true;
    if (event.is_length) return Count(event);
    const std::string_view name = event.op;
    const bool on_numbers = event.ends.size() == event.arguments.size();
    if (on_numbers && results_.size() == 1) {
      if (const auto* row = Find(kArithmetic, name); row != nullptr && arguments_.size() == 2)
        return Compute(row->operation);
      if (const auto* row = Find(kComparisons, name); row != nullptr && arguments_.size() == 2)
        return Decide(event, arguments_[0], row->relation, arguments_[1]);
      if (name == "aten::neg") return Negate();
      if (name == "aten::Bool") return Decide(event, arguments_[0], Relation::kNotEqual, Zero());
    }
    if (name == "aten::numel") return Multiply();
    if (const auto* row = Find(kOverLists, name);
        row != nullptr && event.ends.size() == 1 && results_.size() == 1)
      return Fold(row->operation);
    if (std::ranges::find(kWriting, name) != std::end(kWriting)) return true;
    if (!on_numbers && (name == "aten::eq" || name == "aten::ne"))
      return CompareLists(event, name == "aten::eq");
    if (const auto* row = Find(kContainers, name)) return Move(event, row->moved);
    // Of a number that depends on sizes, nothing has to be known unless it seems not to.
    return std::ranges::none_of(results_, &Number::is_same) && !results_.empty();
  }

  Number Zero() const { return {.samples = Samples(logs_.size(), 0)}; }

  std::optional<Expression> ExpressionOf(const Number& number) const {
    return number.is_broken ? std::nullopt : numbers_.FindInSymbols(number.samples);
  }

  bool Compute(Operation operation) {
    const std::optional<Expression> a = ExpressionOf(arguments_[0]);
    const std::optional<Expression> b = ExpressionOf(arguments_[1]);
    const Number& result = results_[0];
    if (!a || !b) return !result.is_same;
    const Expression computed = Expression::Of(operation, *a, *b);
    // Floats are divided otherwise.
    if (result.is_broken || !numbers_.Has(computed, result.samples)) return !result.is_same;
    numbers_.Know(result.samples, computed);
    return true;
  }

  bool Fold(Operation operation) {
    std::optional<Expression> folded;
    for (const Number& element : arguments_) {
      const std::optional<Expression> next = ExpressionOf(element);
      if (!next) return !results_[0].is_same;
      folded = folded ? Expression::Of(operation, *folded, *next) : *next;
    }
    if (!folded || !numbers_.Has(*folded, results_[0].samples)) return !results_[0].is_same;
    numbers_.Know(results_[0].samples, *folded);
    return true;
  }

  bool Negate() {
    const std::optional<Expression> a = ExpressionOf(arguments_[0]);
    if (a)
      numbers_.Know(results_[0].samples, Expression::Of(Operation::kSubtract, Expression::Constant(0), *a));
    return true;
  }

  bool Multiply() {
    Expression product = Expression::Constant(1);
    for (const Number& size : arguments_) {
      const std::optional<Expression> factor = ExpressionOf(size);
      if (!factor) return !results_[0].is_same;
      product = product * *factor;
    }
    if (results_[0].is_same) return false;
    numbers_.Know(results_[0].samples, product);
    return true;
  }

  bool Decide(const NumberEvent& event, const Number& x, Relation relation, const Number& y) {
    const std::optional<Expression> a = ExpressionOf(x);
    const std::optional<Expression> b = ExpressionOf(y);
    if (!a || !b || !results_[0].is_same) return false;
    Add(event.origin, {*a, results_[0].samples[0] != 0 ? relation : Opposite(relation), *b});
    return true;
  }

  /// Equal in all places, or different in one.
  bool CompareLists(const NumberEvent& event, bool asks_equal) {
    if (event.ends.size() != 2 || results_.size() != 1 || !results_[0].is_same) return false;
    const bool is_equal = (results_[0].samples[0] != 0) == asks_equal;
    const size_t count = event.ends[0];
    if (event.arguments.size() != 2 * count) return true;
    for (size_t i = 0; i < count; ++i) {
      const Number& x = arguments_[i];
      const Number& y = arguments_[count + i];
      const std::optional<Expression> a = ExpressionOf(x);
      const std::optional<Expression> b = ExpressionOf(y);
      if (is_equal) {
        if (!a || !b) return false;
        Add(event.origin, {*a, Relation::kEqual, *b});
      } else if (a && b && AlwaysDiffer(x, y)) {
        Add(event.origin, {*a, Relation::kNotEqual, *b});
        return true;
      }
    }
    return is_equal;
  }

  static bool AlwaysDiffer(const Number& x, const Number& y) {
    for (size_t i = 0; i < x.samples.size(); ++i) {
      if (x.samples[i] == y.samples[i]) return false;
    }
    return true;
  }

  /// Numbers that say where, and not what, have to be the same everywhere.
  bool Move(const NumberEvent& event, size_t moved) const {
    size_t begin = 0;
    for (size_t i = 0; i < event.ends.size(); ++i) {
      const bool is_number = event.ends[i] == begin + 1 && i > 0;
      const bool is_moved = i + moved >= event.ends.size();
      if (is_number && !is_moved && !arguments_[begin].is_same) return false;
      begin = event.ends[i];
    }
    return true;
  }

  /// Into how many parts an operator cuts a tensor, in the dimension that its last argument says. Other lists
  /// are as long as a list among the arguments.
  bool Count(const NumberEvent& event) {
    const bool splits = event.op.find("split") != std::string_view::npos && event.ends.size() == 3 &&
                        event.ends[1] == event.ends[0] + 1;
    const bool chunks = event.op.find("chunk") != std::string_view::npos;
    const bool unbinds = event.op.find("unbind") != std::string_view::npos;
    if (!splits && !chunks && !unbinds) return true;
    const int64_t dimension = arguments_.back().samples[0];
    const auto rank = static_cast<int64_t>(event.ends[0]);
    const Number& size = arguments_[static_cast<size_t>(dimension < 0 ? dimension + rank : dimension)];
    if (size.is_same && arguments_[event.ends[0]].is_same) return true;
    // Walks that get other parts and do the same do not care how many there are.
    if (unbinds) return !results_[0].is_same;
    return CountParts(ExpressionOf(size), ExpressionOf(arguments_[event.ends[0]]), chunks);
  }

  bool CountParts(const std::optional<Expression>& whole, const std::optional<Expression>& number,
                  bool chunks) {
    if (!whole || !number) return !results_[0].is_same;
    const auto rounded_up = [](const Expression& a, const Expression& b) {
      return Expression::Of(Operation::kFloorDivide,
                            a + Expression::Of(Operation::kSubtract, b, Expression::Constant(1)), b);
    };
    const Expression part = chunks ? rounded_up(*whole, *number) : *number;
    const Expression count = rounded_up(*whole, part);
    if (!numbers_.Has(count, results_[0].samples)) return !results_[0].is_same;
    numbers_.Know(results_[0].samples, count);
    return true;
  }

  void Add(const CodeOrigin& origin, const Condition& condition) {
    AddTo(conditions_.decided, origin, condition);
  }

  static void AddTo(std::vector<SizeCondition>& conditions, const CodeOrigin& origin,
                    const Condition& condition) {
    if (AlwaysHolds(condition)) return;
    const auto known = std::ranges::find(conditions, condition, &SizeCondition::condition);
    if (known == conditions.end()) conditions.push_back({condition, origin});
  }

  const std::vector<const NumberLog*>& logs_;
  const std::vector<const graph::sizes::SizedGraph*>& graphs_;
  const std::vector<CodeOrigin>& origins_;
  Numbers& numbers_;
  ReadConditions& conditions_;
  size_t learned_ = 0;
  /// Of the event that is read.
  std::vector<Number> arguments_;
  std::vector<Number> results_;
};

}  // namespace

std::optional<RefusedNumber> ReadNumbers(const std::vector<const NumberLog*>& logs,
                                         const std::vector<const graph::sizes::SizedGraph*>& graphs,
                                         const std::vector<CodeOrigin>& origins, Numbers& numbers,
                                         ReadConditions& conditions) {
  return Reader(logs, graphs, origins, numbers, conditions).Run();
}

}  // namespace culprit::capture
