// SPDX-License-Identifier: Apache-2.0
//
// The matrix: every operator that has a rule, with every dtype, layout and kind of numbers, against eager by
// the rules of compare. What eager refuses has to be refused, in the same words. Printed in full volume, a
// row per call, and each cell that differs:
//
//   exp(x)      f32 78/78  f64 78/78 ... i64 26/26
//
// A cell that is not there is one that eager refuses. NATIVE_TEST_OP is how the operators begin that are
// looked at.
#include <ATen/Context.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/matrix_cases.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// libtorch divides integers by 0 in the processor: batch norm of no images, a loss by a number below 1, and
/// the smallest number by -1.
bool KillsEager(const MatrixCase& each, at::ScalarType dtype, const Layout& layout, Numbers numbers) {
  static const auto& divisions = *new std::set<std::string_view>{
      "aten::div.Tensor_mode", "aten::floor_divide", "aten::remainder.Tensor", "aten::fmod.Tensor"};
  const bool is_batch_norm =
      each.op.starts_with("aten::native_batch_norm") || each.op == "aten::batch_norm_update_stats";
  if (is_batch_norm) return layout.rows == 0;
  if (at::isFloatingType(dtype)) return false;
  if (each.op == "aten::smooth_l1_loss_backward") return true;
  const bool divides_by_any = divisions.contains(each.op) && each.arguments.starts_with("x, y");
  return divides_by_any && numbers == Numbers::kExtreme;
}

/// libtorch takes an expanded tensor for one that lies in memory whole, and reads beyond its end.
bool ReadsBeyondInEager(const MatrixCase& each, const Layout& layout) {
  static const auto& readers =
      *new std::set<std::string_view>{"aten::native_group_norm_backward", "aten::_reshape_alias"};
  return readers.contains(each.op) && layout.kind == Layout::Kind::kExpanded;
}

/// Where two right ways to compute differ without limit.
struct Forgiven {
  /// All overloads of it, or one; with a star at the end all operators whose names begin so.
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
      {"aten::logsumexp", {kExtreme}},
      {"aten::linalg_vector_norm", {kExtreme}},
      {"aten::norm", {kExtreme}},
      {"aten::_softmax_backward*", {kExtreme}},
      {"aten::_log_softmax_backward*", {kExtreme}},
      {"aten::_adaptive_avg_pool*", {kExtreme}},
      {"aten::avg_pool*", {kExtreme}},
      {"aten::upsample_nearest2d_backward", {kExtreme}},
      {"aten::mse_loss*", {kExtreme}},
      {"aten::huber_loss*", {kExtreme}},
      {"aten::smooth_l1_loss*", {kExtreme}},
      // The mean of infinite numbers is NaN in libtorch, unless an infinite one comes last. And the largest
      // Doubles have sums that overflow, or lose what is not large.
      {"aten::var*", {kInf, kExtreme}},
      {"aten::std*", {kInf, kExtreme}},
      {"aten::native_*", {kInf, kExtreme}},
      {"aten::batch_norm_update_stats", {kExtreme}},
      // In BFloat16, of columns, libtorch gives NaN for infinite numbers, and where another column has NaN.
      {"aten::_log_softmax", {kInf, kNan}},
      // A slope of nearly 0 is 0 for libtorch in BFloat16, and infinity times that is NaN.
      {"aten::gelu_backward", {kInf}},
      // Of the largest Double it is infinite in libtorch's vectors, and 709.8 in the function of C.
      {"aten::log1p", {kExtreme}},
      // x + alpha * y is one operation in libtorch's vectors, so the product does not overflow.
      {"aten::add", {kExtreme}},
      {"aten::sub", {kExtreme}},
      {"aten::rsub", {kExtreme}},
      // A weight of 0, or of nearly 0, times such a number.
      {"aten::upsample_bilinear*", {kNan, kInf, kExtreme}},
      // libtorch's vectors and the ends of its rows treat NaN in two ways.
      {"aten::hardshrink_backward", {kNan}},
      {"aten::softshrink_backward", {kNan}},
      {"aten::hardtanh_backward", {kNan}},
      {"aten::elu_backward", {kNan}},
      {"aten::hardswish_backward", {kNan}},
      // And quotients that no integer holds.
      {"aten::fmod", {Numbers::kDenormal, kExtreme}},
      {"aten::remainder", {Numbers::kDenormal, kExtreme}},
      {"aten::floor_divide", {Numbers::kDenormal, kExtreme}},
      {"aten::div.Tensor_mode", {Numbers::kDenormal, kExtreme}},
      {"aten::div.Scalar_mode", {Numbers::kDenormal, kExtreme}},
  };
  return all;
}

bool IsNamed(std::string_view op, std::string_view name) {
  if (name.ends_with('*')) return op.starts_with(name.substr(0, name.size() - 1));
  return op == name || op.substr(0, op.find('.')) == name;
}

bool IsForgiven(const MatrixCase& each, Numbers numbers) {
  return std::ranges::any_of(AllForgiven(), [&](const Forgiven& forgiven) {
    return IsNamed(each.op, forgiven.op) && forgiven.numbers.contains(numbers);
  });
}

/// Only meant for backends that have no numbers.
bool HasNoNumbers(const MatrixCase& each) {
  return each.op == "aten::_efficientzerotensor";
}

/// oneDNN's gelu of infinity is NaN; libtorch's own is right.
class OwnKernels {
 public:
  explicit OwnKernels(const MatrixCase& each) : is_for_(each.op == "aten::gelu") {
    if (is_for_) at::globalContext().setUserEnabledMkldnn(false);
  }
  ~OwnKernels() {
    if (is_for_) at::globalContext().setUserEnabledMkldnn(true);
  }
  OwnKernels(const OwnKernels&) = delete;
  OwnKernels& operator=(const OwnKernels&) = delete;

 private:
  bool is_for_;
};

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
    if (KillsEager(each, column.dtype, layout, Numbers::kRandom) || ReadsBeyondInEager(each, layout)) return;
    const OwnKernels own(each);
    const MatrixGraph graph = MakeGraph(each, column.dtype, layout);
    const size_t before = CountsOfNative().kernels;
    const std::shared_ptr<backend::Compiled> compiled = backend_->Compile(
        graph.graph, MakeInputs(each, graph.letters, column.dtype, layout, Numbers::kRandom));
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
  size_t forgiven() const { return forgiven_; }
  const std::map<std::string, std::vector<std::string>>& failures() const { return failures_; }

 private:
  void CompareCell(const graph::Graph& graph, const std::shared_ptr<backend::Compiled>& compiled,
                   const std::vector<c10::IValue>& inputs, const std::string& where, Cells& count) {
    const check::GraphModel reference(graph);
    const check::FunctionModel candidate =
        check::FunctionModel::Boxed([&](check::Inputs& given) -> c10::IValue {
          return c10::ivalue::Tuple::create(compiled->Call(given));
        });
    check::CheckOptions options = check::CheckOptions::Strict();
    options.compare.compare_strides = false;
    const check::CheckResult result = check::SameTwoModels(reference, candidate, inputs, options);
    if (result.status == check::CheckStatus::kReferenceFailed) {
      ++count.refused;
      ++refused_;
      CompareRefusals(*result.failure, check::RunModel(candidate, inputs, {}).failure, where);
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

  void CompareRefusals(const check::RunFailure& eager, const std::optional<check::RunFailure>& compiled,
                       const std::string& where) {
    if (!compiled)
      Fail(where, "only eager refuses: " + eager.message);
    else if (compiled->message != eager.message)
      Fail(where, fmt::format("eager says {}, the compiler {}", eager.message, compiled->message));
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
  size_t forgiven_ = 0;
  bool is_forgiven_ = false;
  std::map<std::string, std::vector<std::string>> failures_;
};

void JudgeMatrix(const Matrix& matrix) {
  for (const auto& [op, cells] : matrix.failures()) {
    ADD_FAILURE() << op << ": " << cells.size() << " cells, the first:\n" << cells.front();
    if (!FullVolume()) continue;
    for (const std::string& cell : cells) fmt::print("differs: {}\n", cell);
  }
  fmt::print("{} cells compared, {} of them by loops, {} forgiven; eager refuses {}\n", matrix.compared(),
             matrix.by_loops(), matrix.forgiven(), matrix.refused());
  EXPECT_LT(matrix.forgiven() * 50, matrix.compared());
}

TEST(MatrixTest, EveryRuleHasItsCalls) {
  for (const MatrixCase& each : MatrixCases()) EXPECT_NE(each.arguments, "") << each.op;
}

TEST(MatrixTest, EveryCallIsOneThatEagerMakes) {
  const auto runs = [](const MatrixCase& each, at::ScalarType dtype) {
    const MatrixGraph graph = MakeGraph(each, dtype, kLayouts[0]);
    const auto inputs = MakeInputs(each, graph.letters, dtype, kLayouts[0], Numbers::kRandom);
    return check::RunModel(check::GraphModel(graph.graph), inputs, {}).ok();
  };
  for (const MatrixCase& each : MatrixCases())
    EXPECT_TRUE(runs(each, at::kFloat) || runs(each, at::kLong)) << each.op << "(" << each.arguments << ")";
}

bool IsLookedAt(const MatrixCase& each) {
  const char* beginning = std::getenv("NATIVE_TEST_OP");
  if (beginning != nullptr && !each.op.starts_with(beginning)) return false;
  return !each.arguments.empty() && !HasNoNumbers(each);
}

void RunMatrix(const std::string& setting, int sampled) {
  Matrix matrix(setting);
  std::mt19937_64 dice(10);
  for (const MatrixCase& each : MatrixCases()) {
    if (!IsLookedAt(each)) continue;
    for (const DtypeColumn& column : kDtypeColumns) {
      for (const Layout& layout : kLayouts) {
        const bool is_chosen =
            dice() % (kDtypeColumns.size() * kLayouts.size()) < static_cast<size_t>(sampled);
        if (FullVolume() || is_chosen) matrix.TryToCompare(each, column, layout);
      }
    }
    if (FullVolume()) fmt::print("{}\n", matrix.EndRow(each));
  }
  JudgeMatrix(matrix);
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
