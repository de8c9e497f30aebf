// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/random_numbers.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace culprit::tests {
namespace {

class NumberProgram {
 public:
  explicit NumberProgram(uint64_t seed) : random_(seed) {}

  std::string Make() {
    text_ =
        "# hazard: random arithmetic on tensors of sizes\n# call: f32[4,3]=2\n# call: f32[6,3]=3\n"
        "# call: f32[6,5]=1\n# call: f32[9,4]=7\n\n"
        "def forward(x: Tensor) -> Tuple[List[Tensor], int, Tensor]:\n"
        "    a = torch.tensor(x.size(0))\n    b = torch.tensor(x.size(1))\n"
        "    s = torch.tensor([x.size(0), x.size(1), 7])\n    y = x\n    k = 0\n";
    numbers_ = {"a", "b"};
    for (int i = 0; i < 12; ++i) Statement("    ");
    std::string all = "[s";
    for (const std::string& name : numbers_) all += ", " + name;
    return text_ + fmt::format("    return {}], k, y\n", all);
  }

 private:
  int Draw(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }
  const std::string& Number() {
    return numbers_[static_cast<size_t>(Draw(static_cast<int>(numbers_.size())))];
  }
  template <size_t size>
  const char* One(const char* const (&choices)[size]) {
    return choices[Draw(static_cast<int>(size))];
  }
  void Line(const std::string& indent, const std::string& line) { text_ += indent + line + "\n"; }
  void Declare(const std::string& indent, const std::string& value) {
    const std::string name = fmt::format("n{}", names_++);
    Line(indent, name + " = " + value);
    if (indent.size() == 4) numbers_.push_back(name);
  }

  void Statement(const std::string& indent) {
    switch (Draw(13)) {
      case 0:
      case 1:
        return Declare(indent, fmt::format("{} {} {}", Number(), One({"+", "-", "*"}), Number()));
      case 2:
        return Declare(indent, fmt::format("{} {} {}", Number(), One({"//", "%"}), Draw(4) + 1));
      case 3:
        return Declare(indent, fmt::format(fmt::runtime(One({"s[{}]", "s.select(0, {})", "s[{}:].sum()",
                                                             "s[{}:].prod()", "s[{}:].max()"})),
                                           Draw(3)));
      case 4:
        return Declare(indent,
                       Number() + One({".detach()", ".reshape([])", ".clone()", ".view([1])[0]",
                                       ".to(torch.int64)", ".to(torch.int32)", ".unsqueeze(0).squeeze(0)"}));
      case 5:
        return Line(indent,
                    fmt::format("{}{}", Number(), One({".add_(1)", ".mul_(2)", ".sub_(3)", ".neg_()"})));
      case 6:
        return Line(indent, fmt::format("s[{}] = {}", Draw(3), Number()));
      case 7:
        return Line(indent, fmt::format("k = (k + int({})) % 1000", Number()));
      case 8:
        return Line(indent, fmt::format("y = y {} {}", One({"+", "*"}), Number()));
      case 9:
        if (indent.size() > 4) return;
        Line(indent, fmt::format("if bool({} {} {}):", Number(), One({">", "<=", "=="}), Number()));
        Statement(indent + "    ");
        return Line(indent + "    ", "k += 1");
      case 10:
        return Line(indent, fmt::format("{}.copy_({})", Number(), One({"x[0, 0]", "s[1]", "x.sum()"})));
      case 11:
        return Line(indent, Draw(3) == 0 ? "print(k)" : "y = y.clone()");
      default:
        return Line(indent, fmt::format("s = torch.stack([{}, {}, {}])", Number(), Number(), Number()));
    }
  }

  std::mt19937_64 random_;
  std::string text_;
  std::vector<std::string> numbers_;
  int names_ = 0;
};

}  // namespace

std::string MakeRandomNumbers(uint64_t seed) {
  return NumberProgram(seed).Make();
}

}  // namespace culprit::tests
