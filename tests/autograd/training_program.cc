// SPDX-License-Identifier: Apache-2.0
#include "tests/autograd/training_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <string_view>
#include <vector>

namespace culprit::tests {
namespace {

// In the patterns M and V stand for any matrix and vector, A and B for a name of one, K for an index below n,
// F for a small number; each time another one.
constexpr std::string_view kMatrices[] = {
    "torch.tanh(M)",
    "torch.sigmoid(M)",
    "torch.exp(-torch.abs(M))",
    "torch.relu(M)",
    "torch.silu(M)",
    "torch.clamp(M, -F, F)",
    "M + M",
    "M * M",
    "M * V",
    "M - F",
    "A * A",
    "M / (torch.abs(M) + 1)",
    "torch.mm(M, M) * 0.25",
    "torch.addmm(V, M, M) * 0.25",
    "A.t()",
    "A.t().contiguous()",
    "torch.softmax(M, 1)",
    "torch.log_softmax(M, 0)",
    "torch.layer_norm(M, [n], B, V, 1e-5)",
    "torch.where(M > 0, M, M)",
    "torch.masked_fill(M, M > F, F)",
    "torch.cumsum(M, 0) * 0.5",
    "torch.sort(M, 1)[0]",
    "torch.flip(M, [0])",
    "torch.roll(M, 1)",
    "torch.tril(M)",
    "torch.cat([A, M])[1:n + 1]",
    "torch.stack([A[K], A[K]]).sum(0) * M",
    "torch.chunk(torch.cat([M, M], 1), 2, 1)[0]",
    "B.unsqueeze(1) * V",
    "B.expand([n, n])",
    "A[torch.tensor([K, K])].sum(0) + M",
    "A.detach() * M",
    "torch.dropout(M, 0.5, True)",
    "M * torch.rand_like(A)",
    "torch.batch_norm(M, B, None, mean, var, True, 0.25, 1e-5, False)",
    "torch.batch_norm(M, None, V, mean, var, False, 0.25, 1e-5, False)",
    "M.to(7).sin().to(x.dtype)",
    "torch.maximum(M, A)",
    "torch.lerp(M, A, 0.25)",
    "torch.as_strided(A.contiguous(), [n, n], [1, n])",
    "torch.conv1d(M.unsqueeze(0), A.unsqueeze(2)).squeeze(0) * 0.25",
};

constexpr std::string_view kVectors[] = {
    "A[K]",
    "A[:, K]",
    "torch.diagonal(A)",
    "M.sum(0)",
    "M.mean(1)",
    "M.max(1)[0]",
    "V + V",
    "V * V",
    "B * B",
    "torch.mv(M, V) * 0.5",
    "torch.sin(V)",
    "V.detach()",
    "torch.amax(M, [0])",
    "torch.logsumexp(M, [1])",
    "V * M.mean()",
    "A.reshape([-1])[0:n]",
    "torch.var(M, 1)",
    "torch.gather(V, 0, torch.tensor([K, K, K])).sum() * V",
};

// They give a name to memory that has one already.
constexpr std::string_view kMatrixViews[] = {
    "A",
    "A.t()",
    "A.view_as(A)",
    "A[0:n]",
    "A.unsqueeze(0)[0]",
    "A.transpose(0, 1)",
    "A.detach()",
    "A.permute([1, 0])",
};
constexpr std::string_view kVectorViews[] = {
    "B",
    "A[K]",
    "A[:, K]",
    "torch.diagonal(A)",
    "A.select(1, K)",
    "torch.unbind(A)[K]",
    "A.t()[K]",
    "B.view([-1])",
    "torch.split(A, 1)[K].squeeze(0)",
};

constexpr std::string_view kWrites[] = {
    "A.add_(M)",
    "A.mul_(F)",
    "A.mul_(V)",
    "A.tanh_()",
    "A.sigmoid_()",
    "A.relu_()",
    "A.zero_()",
    "A.copy_(M)",
    "A.copy_(V)",
    "A.t().sub_(M)",
    "A[K].add_(V)",
    "A[:, K].mul_(V)",
    "A[K] = V",
    "A[0:K + 1] = F",
    "A[A > F] = 0.5",
    "A.diagonal().fill_(F)",
    "A.view([-1])[K:n].mul_(F)",
    "A.index_put_([torch.tensor([K, K])], V, accumulate=True)",
    "A.index_add_(0, torch.tensor([K]), V.unsqueeze(0))",
    "A.masked_fill_(M > 0, F)",
    "A.scatter_add_(0, torch.zeros_like(A).to(4), M)",
    "A.addmm_(M, M, beta=0.5, alpha=0.25)",
    "A.addcmul_(M, M, value=0.5)",
    "A.clamp_(-1.0, F)",
    "A += M",
    "A *= A",
    "B.mul_(V)",
    "B.add_(B)",
    "B[K] = F",
    "B[K:n].sigmoid_()",
    "B.copy_(V)",
    "A.as_strided([n], [n + 1]).add_(V)",
    "A.detach().mul_(F)",
    "b.add_(M)",
    "b[K].copy_(V)",
    "torch.dropout_(A, 0.25, True)",
    "A[K].uniform_(0.0, 1.0)",
};

constexpr int kDeepest = 2;

class TrainingWriter {
 public:
  explicit TrainingWriter(uint64_t seed) : dice_(seed) {}

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(dice_); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  template <size_t count>
  std::string_view OneOf(const std::string_view (&texts)[count]) {
    return texts[Below(count)];
  }

  void Line(const std::string& text) { lines_ += std::string(4 * (depth_ + 1), ' ') + text + "\n"; }
  void Declare(bool is_matrix, std::string name) {
    (is_matrix ? matrices_ : vectors_).push_back(std::move(name));
  }

  std::string Expression(bool is_matrix, int levels) {
    if (levels == 0) return Name(is_matrix);
    return "(" + Fill(is_matrix ? OneOf(kMatrices) : OneOf(kVectors), levels - 1) + ")";
  }

  void Statement() {
    const size_t choice = Below(100);
    const bool is_matrix = Chance(70);
    if (choice < 48) return Assign(is_matrix, Expression(is_matrix, 2));
    if (choice < 62) return Assign(is_matrix, Fill(is_matrix ? OneOf(kMatrixViews) : OneOf(kVectorViews), 0));
    if (choice < 88 || depth_ == kDeepest) return Line(Fill(OneOf(kWrites), 1));
    if (choice < 90) return Line(fmt::format("print({}.size(0))", Name(true)));
    if (choice < 94) return WithoutGradients();
    if (choice < 97) return Block(fmt::format("for i{} in range(2):", depth_));
    return Block(fmt::format("if bool({}.sum() > 0):", Name(true)));
  }

  /// Arguments and intermediates, some of them twice.
  std::string Return() {
    std::vector<std::string> names;
    const size_t count = 1 + Below(4);
    for (size_t i = 0; i < count; ++i) names.push_back(Chance(80) ? Latest() : Name(Chance(60)));
    return fmt::format("    return [{}]\n", fmt::join(names, ", "));
  }

  const std::string& lines() const { return lines_; }

 private:
  std::string Name(bool is_matrix) {
    const std::vector<std::string>& names = is_matrix ? matrices_ : vectors_;
    return names[Below(names.size())];
  }

  // What is returned early on makes most of the program dead.
  std::string Latest() {
    const std::vector<std::string>& names = Chance(70) ? matrices_ : vectors_;
    return names[names.size() - 1 - Below(std::min<size_t>(3, names.size()))];
  }

  std::string Fill(std::string_view pattern, int levels) {
    std::string text;
    for (size_t i = 0; i < pattern.size(); ++i) {
      const bool stands_alone =
          (i == 0 || !isalnum(pattern[i - 1])) && (i + 1 == pattern.size() || !isalnum(pattern[i + 1]));
      text += stands_alone ? FillLetter(pattern[i], levels) : std::string(1, pattern[i]);
    }
    return text;
  }

  std::string FillLetter(char letter, int levels) {
    switch (letter) {
      case 'M':
        return Expression(true, levels);
      case 'V':
        return Expression(false, levels);
      case 'A':
        return Name(true);
      case 'B':
        return Name(false);
      case 'K':
        return std::to_string(Below(2));
      case 'F':
        return fmt::format("0.{}", 1 + Below(9));
      default:
        return std::string(1, letter);
    }
  }

  void Assign(bool is_matrix, const std::string& expression) {
    const std::string name = fmt::format("{}{}", is_matrix ? 'm' : 'v', next_name_++);
    Line(fmt::format("{} = {}", name, expression));
    Declare(is_matrix, name);
  }

  void WithoutGradients() {
    Line("torch.set_grad_enabled(False)");
    if (Chance(50)) Line(Fill(OneOf(kWrites), 1));
    if (Chance(50)) Assign(true, Expression(true, 2));
    Line("torch.set_grad_enabled(True)");
  }

  void Block(const std::string& header) {
    Line(header);
    const size_t matrices = matrices_.size();
    const size_t vectors = vectors_.size();
    ++depth_;
    const size_t statements = 1 + Below(3);
    for (size_t i = 0; i < statements; ++i) Statement();
    --depth_;
    matrices_.resize(matrices);
    vectors_.resize(vectors);
  }

  std::mt19937_64 dice_;
  std::vector<std::string> matrices_;
  std::vector<std::string> vectors_;
  std::string lines_;
  int depth_ = 0;
  int next_name_ = 0;
};

std::string Call(TrainingWriter& dice, size_t n, size_t numbers) {
  const std::string_view dtype = dice.Chance(20) ? "f64" : "f32";
  const auto tensor = [&](bool is_matrix, int gradients) {
    const std::string sizes = is_matrix ? fmt::format("{0},{0}", n) : std::to_string(n);
    return fmt::format("{}[{}]@seed={}{}{}", dtype, sizes, numbers++,
                       is_matrix && dice.Chance(20) ? ":transposed" : "",
                       dice.Chance(gradients) ? ":grad" : "");
  };
  return fmt::format("# call: {} ; {} ; {} ; {} ; {}[{}]=0 ; {}[{}]=1\n", tensor(true, 80), tensor(true, 50),
                     tensor(false, 60), tensor(true, 0), dtype, n, dtype, n);
}

}  // namespace

std::string MakeTrainingProgram(uint64_t seed, int statements) {
  TrainingWriter writer(seed);
  std::string text =
      fmt::format("# SPDX-License-Identifier: Apache-2.0\n# hazard: training program {}\n", seed);
  const size_t n = 2 + writer.Below(2);
  text += Call(writer, n, 1) + Call(writer, writer.Chance(50) ? n : 5 - n, 11);
  text +=
      "\ndef forward(x: Tensor, y: Tensor, v: Tensor, b: Tensor, mean: Tensor, var: Tensor) -> "
      "List[Tensor]:\n"
      "    n = x.size(0)\n";
  if (writer.Chance(70)) {
    // Leaves that require gradients must not be written.
    text += "    x = x * 1\n    y = y + 0\n    v = v * 2\n";
  }
  for (const char* name : {"x", "y", "b"}) writer.Declare(true, name);
  writer.Declare(false, "v");
  for (int i = 0; i < statements; ++i) writer.Statement();
  return text + writer.lines() + writer.Return();
}

}  // namespace culprit::tests
