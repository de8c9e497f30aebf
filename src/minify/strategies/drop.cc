// SPDX-License-Identifier: Apache-2.0
//
// One operator less, from the end backwards, until none can be left out: what remains is 1-minimal.
#include <fmt/format.h>

#include <algorithm>

#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

class Drop : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& subject, size_t at_most) override {
    if (!begun_) {
      begun_ = true;
      for (uint32_t i = 0; i < subject.operators(); ++i) left_.push_back(subject.NameOf(graph::NodeId(i)));
    }
    std::vector<Edit> edits;
    while (!left_.empty() && edits.size() < at_most) {
      edits.push_back(DropNodes(fmt::format("drop {}", left_.back()), {left_.back()}));
      left_.pop_back();
    }
    return edits;
  }

  void Learn(std::span<const Learned>) override {}

 private:
  bool begun_ = false;
  std::vector<std::string> left_;
};

}  // namespace

std::unique_ptr<Strategy> MakeDrop() {
  return std::make_unique<Drop>();
}

}  // namespace culprit::minify::strategies
