// SPDX-License-Identifier: Apache-2.0
//
// The matrix: every operator that has a rule, with every dtype, layout and kind of numbers, against eager by
// the rules of compare. What eager refuses has to be refused. Printed in full volume, a row per call:
//
//   aten::exp(x)      f32 78/78  f64 78/78 ... i64 26/26      by loops: 560 of 612
//
// A cell that is not there is one that eager refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "check/function_model.h"
#include "check/graph_model.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/matrix_cases.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// libtorch divides integers by 0 in the processor: batch norm of no images, a loss by a number below 1, and
/// the smallest number by -1.
bool KillsEager(const MatrixCase& each, at::ScalarType dtype, const Layout& layout, Numbers numbers) {
  if (each.op.starts_with("aten::native_batch_norm")) return layout.rows == 0;
  if (each.op.find("_loss") != std::string::npos) return !at::isFloatingType(dtype);
  const bool divides = each.op.find("div") != std::string::npos || each.op.find("mod") != std::string::npos ||
                       each.op.find("remainder") != std::string::npos;
  return divides && !at::isFloatingType(dtype) && numbers == Numbers::kExtreme;
}

/// Where two right ways to compute differ without limit.
struct Forgiven {
  std::string_view op;
  std::set<Numbers> numbers;
};

const std::vector<Forgiven>& AllForgiven() {
  constexpr Numbers kNan = Numbers::kNan, kInf = Numbers::kInf, kExtreme = Numbers::kExtreme;
  static const auto& all = *new std::vector<Forgiven>{
      // Sums and products overflow in one order and not in another.
      {"aten::sum", {kExtreme}},
      {"aten::mean", {kExtreme}},
      {"aten::prod", {kExtreme}},
      {"aten::cum", {kExtreme}},
      {"aten::logsumexp", {kExtreme}},
      {"aten::linalg_vector_norm", {kExtreme}},
      {"aten::norm", {kExtreme}},
      {"aten::_softmax_backward", {kExtreme}},
      {"aten::_log_softmax_backward", {kExtreme}},
      {"aten::_adaptive_avg_pool", {kExtreme}},
      {"aten::avg_pool", {kExtreme}},
      {"aten::mse_loss", {kExtreme}},
      {"aten::huber_loss", {kExtreme}},
      {"aten::smooth_l1_loss", {kExtreme}},
      // The mean of infinite numbers is NaN in libtorch, unless an infinite one comes last.
      {"aten::var", {kInf, kExtreme}},
      {"aten::std", {kInf, kExtreme}},
      {"aten::native_", {kInf, kExtreme}},
      // In BFloat16, of columns, what is infinite is NaN for libtorch.
      {"aten::_log_softmax", {kInf}},
      // x + alpha * y is one operation in libtorch's vectors, so the product does not overflow.
      {"aten::add", {kExtreme}},
      {"aten::sub", {kExtreme}},
      {"aten::rsub", {kExtreme}},
      // A weight of 0, or of nearly 0, times such a number.
      {"aten::upsample_bilinear", {kNan, kInf, kExtreme}},
      // libtorch's vectors and the ends of its rows treat NaN in two ways.
      {"aten::hardshrink_backward", {kNan}},
      {"aten::softshrink_backward", {kNan}},
      {"aten::hardtanh_backward", {kNan}},
      {"aten::elu_backward", {kNan}},
      // And so they do with quotients that no integer holds.
      {"aten::fmod", {Numbers::kDenormal, kExtreme}},
      {"aten::remainder", {Numbers::kDenormal, kExtreme}},
      {"aten::floor_divide", {Numbers::kDenormal, kExtreme}},
      {"aten::div", {Numbers::kDenormal, kExtreme}},
  };
  return all;
}

bool IsForgiven(const MatrixCase& each, Numbers numbers) {
  return std::ranges::any_of(AllForgiven(), [&](const Forgiven& forgiven) {
    return each.op.starts_with(forgiven.op) && forgiven.numbers.contains(numbers);
  });
}

/// Only meant for backends that have no numbers.
bool HasNoNumbers(const MatrixCase& each) {
  return each.op == "aten::_efficientzerotensor";
}

struct Cells {
  size_t passed = 0;
  size_t compared = 0;
  size_t refused = 0;
};

class Matrix {
 public:
  explicit Matrix(const std::string& setting) : backend_(OpenNative(SettingOf(setting))), setting_(setting) {}

  /// All kinds of numbers of one dtype and layout.
  void Compare(const MatrixCase& each, const DtypeColumn& column, const Layout& layout) {
    if (KillsEager(each, column.dtype, layout, Numbers::kRandom)) return;
    const MatrixGraph graph = MakeGraph(each, column.dtype, layout);
    const size_t before = CountsOfNative().kernels;
    std::shared_ptr<backend::Compiled> compiled;
    std::string refused;
    try {
      compiled = backend_->Compile(graph.graph,
                                   MakeInputs(each, graph.letters, column.dtype, layout, Numbers::kRandom));
    } catch (const std::exception& error) {
      refused = error.what();
    }
    const size_t cells = compared_;
    for (const NumbersName& numbers : kNumbers) {
      if (!Exists(column.dtype, numbers.numbers) || KillsEager(each, column.dtype, layout, numbers.numbers))
        continue;
      Cells& count = row_[column.name];
      const std::string where = fmt::format("{}({}) {} {} {} by {}", each.op, each.arguments, column.name,
                                            layout.name, numbers.name, setting_);
      is_forgiven_ = IsForgiven(each, numbers.numbers);
      CompareCell(graph.graph, compiled,
                  MakeInputs(each, graph.letters, column.dtype, layout, numbers.numbers), where, count);
    }
    if (CountsOfNative().kernels > before) by_loops_ += compared_ - cells;
  }

  /// What is no call is a failure of the case.
  void TryToCompare(const MatrixCase& each, const DtypeColumn& column, const Layout& layout) {
    try {
      Compare(each, column, layout);
    } catch (const std::exception& error) {
      Fail(fmt::format("{}({}) ", each.op, each.arguments), error.what());
    }
  }

  std::string EndRow(const MatrixCase& each) {
    std::string text = fmt::format("{:<60}", fmt::format("{}({})", each.op.substr(6), each.arguments));
    for (const DtypeColumn& column : kDtypeColumns) {
      const Cells& cells = row_[column.name];
      text += cells.compared == 0
                  ? fmt::format(" {:>4}    -   ", column.name)
                  : fmt::format(" {:>4} {:>3}/{:<3}", column.name, cells.passed, cells.compared);
    }
    row_.clear();
    return text;
  }

  size_t compared() const { return compared_; }
  size_t refused() const { return refused_; }
  size_t by_loops() const { return by_loops_; }
  size_t more() const { return more_; }
  size_t forgiven() const { return forgiven_; }
  const std::map<std::string, std::vector<std::string>>& failures() const { return failures_; }

 private:
  void CompareCell(const graph::Graph& graph, const std::shared_ptr<backend::Compiled>& compiled,
                   const std::vector<c10::IValue>& inputs, const std::string& where, Cells& count) {
    const check::GraphModel reference(graph);
    const check::FunctionModel candidate =
        check::FunctionModel::Boxed([&](check::Inputs& given) -> c10::IValue {
          if (!compiled) throw std::runtime_error("refused by the compiler");
          return c10::ivalue::Tuple::create(compiled->Call(given));
        });
    check::CheckOptions options = check::CheckOptions::Strict();
    options.compare.compare_strides = false;
    const check::CheckResult result = check::SameTwoModels(reference, candidate, inputs, options);
    if (result.status == check::CheckStatus::kReferenceFailed) {
      ++count.refused;
      ++refused_;
      // Some dtypes are more than libtorch can do.
      const bool is_missing = result.message.find("not implemented for") != std::string::npos;
      more_ += is_missing ? 1 : 0;
      if (!is_missing && Runs(candidate, inputs))
        Fail(where, "eager refuses, the compiler does not: " + result.message);
      return;
    }
    ++count.compared;
    ++compared_;
    if (result.status == check::CheckStatus::kSame)
      ++count.passed;
    else if (is_forgiven_)
      ++forgiven_;
    else
      Fail(where, Describe(result));
  }

  static bool Runs(const check::FunctionModel& model, const std::vector<c10::IValue>& inputs) {
    return check::RunModel(model, inputs, {}).ok();
  }

  void Fail(const std::string& where, const std::string& how) {
    failures_[where.substr(0, where.find(' '))].push_back(where + ": " + how);
  }

  std::unique_ptr<backend::Backend> backend_;
  std::string setting_;
  std::map<std::string_view, Cells> row_;
  size_t compared_ = 0;
  size_t refused_ = 0;
  size_t by_loops_ = 0;
  size_t more_ = 0;
  size_t forgiven_ = 0;
  bool is_forgiven_ = false;
  std::map<std::string, std::vector<std::string>> failures_;
};

void Judge(const Matrix& matrix) {
  for (const auto& [op, cells] : matrix.failures())
    ADD_FAILURE() << op << ": " << cells.size() << " cells, the first:\n" << cells.front();
  fmt::print(
      "{} cells compared, {} of them by loops, {} forgiven; eager refuses {}, {} for lack of a kernel\n",
      matrix.compared(), matrix.by_loops(), matrix.forgiven(), matrix.refused(), matrix.more());
  EXPECT_LT(matrix.forgiven() * 50, matrix.compared());
}

TEST(MatrixTest, EveryRuleHasItsCalls) {
  for (const MatrixCase& each : MatrixCases()) EXPECT_NE(each.arguments, "") << each.op;
}

void RunMatrix(const std::string& setting, int sampled) {
  Matrix matrix(setting);
  std::mt19937_64 dice(10);
  for (const MatrixCase& each : MatrixCases()) {
    if (each.arguments.empty() || HasNoNumbers(each)) continue;
    for (const DtypeColumn& column : kDtypeColumns) {
      for (const Layout& layout : kLayouts) {
        const bool is_chosen =
            dice() % (kDtypeColumns.size() * kLayouts.size()) < static_cast<size_t>(sampled);
        if (FullVolume() || is_chosen) matrix.TryToCompare(each, column, layout);
      }
    }
    if (FullVolume()) fmt::print("{}\n", matrix.EndRow(each));
  }
  Judge(matrix);
}

TEST(MatrixTest, VectorsGiveWhatEagerGives) {
  RunMatrix("fast", 4);
}
TEST(MatrixTest, LlvmsPassesGiveWhatEagerGives) {
  RunMatrix("llvm-o3", 2);
}
TEST(MatrixTest, ExactMathGivesWhatEagerGives) {
  RunMatrix("exact", 2);
}

}  // namespace
}  // namespace culprit::tests
