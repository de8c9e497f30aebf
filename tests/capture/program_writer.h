// SPDX-License-Identifier: Apache-2.0
//
// A random program in the making: the dice, the names in scope with what they are, the lines so far, and
// expressions of every kind.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::tests {

enum class Kind : uint8_t {
  kMatrix,
  kVector,
  kScalar,  // a tensor without dimensions
  kInt,
  kFloat,
  kBool,
  kString,
  kList,  // of matrices, never empty
  kDict,  // of vectors, always with the keys 'a' and 'b'
};
constexpr int kKinds = 9;

enum class BlockKind : uint8_t { kPlain, kLoop };

struct Name {
  std::string text;
  Kind kind;
};

class ProgramWriter {
 public:
  ProgramWriter(std::mt19937_64& dice, bool has_self)
      : dice_(dice), has_self_(has_self), has_jumps_(Chance(60)) {}

  const std::vector<std::string>& lines() const { return lines_; }
  bool has_self() const { return has_self_; }
  int depth() const { return depth_; }
  bool in_loop() const { return loops_ > 0; }
  /// Whether there may be break, continue and early returns, or with blocks. Both at once is more than
  /// libtorch can compile: "outputs_[i]->uses().empty() INTERNAL ASSERT FAILED".
  bool has_jumps() const { return has_jumps_; }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(dice_); }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  template <size_t count>
  std::string_view OneOf(const std::string_view (&texts)[count]) {
    return texts[Below(count)];
  }

  void Line(const std::string& text);
  std::string Fresh(char letter) { return letter + std::to_string(next_name_++); }
  void Declare(std::string name, Kind kind) { names_.push_back({std::move(name), kind}); }
  /// A name of this kind that is in scope; there is always one, but for bools and strings, which may be
  /// empty.
  std::string NameOf(Kind kind);

  /// Lines that follow are indented below `header`, and what they declare is gone at the end.
  template <typename Body>
  void Block(const std::string& header, Body&& body, BlockKind kind = BlockKind::kPlain) {
    Line(header);
    const size_t names = names_.size();
    const size_t lines = lines_.size();
    ++depth_;
    loops_ += kind == BlockKind::kLoop;
    body();
    if (lines_.size() == lines) Line("pass");
    loops_ -= kind == BlockKind::kLoop;
    --depth_;
    names_.resize(names);
  }

  /// `levels` is how deep it may still become.
  std::string Expression(Kind kind, int levels = 2);

 private:
  std::string Matrix(int levels);
  std::string Vector(int levels);
  std::string Scalar(int levels);
  std::string Int(int levels);
  std::string Float(int levels);
  std::string Bool(int levels);
  std::string String(int levels);
  std::string AnyTensor(int levels);

  std::mt19937_64& dice_;
  bool has_self_;
  bool has_jumps_;
  std::vector<Name> names_;
  std::vector<std::string> lines_;
  int depth_ = 0;
  int loops_ = 0;
  int next_name_ = 0;
};

}  // namespace culprit::tests
