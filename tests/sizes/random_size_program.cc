// SPDX-License-Identifier: Apache-2.0
#include "tests/sizes/random_size_program.h"

#include <fmt/format.h>

#include <random>

namespace culprit::tests {
namespace {

class Writer {
 public:
  explicit Writer(uint32_t seed) : random_(seed) {}

  SizedProgram Write() {
    SizedProgram program;
    for (int i = 0; i < 14; ++i) program.calls.push_back(fmt::format("{}x{}", Size(), Size()));
    program.source = fmt::format("def f(x):\n    a = x.size(0)\n    b = x.size(1)\n    c = {}\n    d = {}\n",
                                 Number(3), Number(2));
    if (Draw(2) == 0)
      program.source += fmt::format("    if c {} {}:\n        d = d + 1\n",
                                    Pick<std::string>({"<", ">", "==", "<="}), Number(1));
    program.source += "    return x.sum() * c + d, c, d\n";
    return program;
  }

 private:
  int Draw(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  template <typename T>
  T Pick(const std::vector<T>& choices) {
    return choices[static_cast<size_t>(Draw(static_cast<int>(choices.size())))];
  }

  int Size() { return Draw(10) == 0 ? Pick<int>({70, 100, 600}) : 2 + Draw(39); }

  std::string Number(int depth) {
    if (depth == 0 || Draw(5) == 0)
      return Draw(5) < 4 ? Pick<std::string>({"a", "b"})
                         : fmt::format("{}", Pick<int>({1, 2, 3, 4, 7, 8, 16, 32}));
    const std::string operation = Pick<std::string>({"+", "-", "*", "//", "%", "min", "max"});
    const std::string left = Number(depth - 1);
    if (operation == "min" || operation == "max")
      return fmt::format("{}({}, {})", operation, left, Number(depth - 1));
    if (operation == "//" || operation == "%")
      return fmt::format("({} {} {})", left, operation, Pick<int>({2, 3, 4, 8, 16}));
    return fmt::format("({} {} {})", left, operation, Number(depth - 1));
  }

  std::mt19937 random_;
};

}  // namespace

SizedProgram RandomSizeProgram(uint32_t seed) {
  return Writer(seed).Write();
}

}  // namespace culprit::tests
