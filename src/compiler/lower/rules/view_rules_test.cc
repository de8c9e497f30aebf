// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectLowered;
using tests::OneCall;

struct Row {
  const char* call;
  std::vector<std::string> inputs;
};

TEST(ViewRulesTest, ViewsShowTheElementsThatEagerShows) {
  const Row rows[] = {
      {"view.default(a, [6, 4])", {"f32[2,3,4]", "bf16[3,8]", "i64[24]", "bool[24,1]", "f32[1,24,1]"}},
      {"view.default(a, [2, 2, 6])", {"f32[4,6]", "f32[2,12]", "f32[24]", "f32[4,3,2]"}},
      {"view.default(a, [6, 0])", {"f32[0,3,8]"}},
      {"view.default(a, [24])", {"f32[2,3,4]", "f32[4,6]"}},
      {"view.default(a, [])", {"f32[1,1]"}},
      {"reshape.default(a, [4, 6])", {"f32[6,4] t", "f32[2,12] step", "f32[24]", "f32[3,8] t"}},
      {"_unsafe_view.default(a, [-1, 3])", {"f32[2,6]"}},
      {"permute.default(a, [2, 0, 1])", {"f32[2,3,4]", "f32[2,0,4]", "f32[2,3,4] step"}},
      {"permute.default(a, [-1, 0, 1])", {"f32[2,3,4]"}},
      {"transpose.int(a, 0, -1)", {"f32[2,3,4]", "f32[5]", "f32[]"}},
      {"t.default(a)", {"f32[2,3]", "f32[3]", "f32[]"}},
      {"expand.default(a, [4, 2, 3])", {"f32[2,3]", "f32[1,1]", "f32[]", "f32[4,1,3]"}},
      {"expand.default(a, [2, -1])", {"f32[1,3]"}},
      {"unsqueeze.default(a, -1)", {"f32[2,3]", "f32[]"}},
      {"squeeze.default(a)", {"f32[1,3,1]", "f32[1]", "f32[2,3]"}},
      {"squeeze.dim(a, 1)", {"f32[2,1,3]", "f32[2,3]"}},
      {"slice.Tensor(a, 1, 1, 4, 2)", {"f32[2,6]", "f32[2,3]", "f32[2,1]"}},
      {"slice.Tensor(a, -1, -3, 9223372036854775807)", {"f32[2,6]", "f32[2,2]"}},
      {"slice.Tensor(a, 0, None, None)", {"f32[2,6]"}},
      {"select.int(a, 1, -2)", {"f32[2,6]", "f32[2,6,3] step"}},
      {"diagonal.default(a, 1, -2, -1)", {"f32[4,3,5]", "f32[3,3]"}},
      {"diagonal.default(a, -2, 0, 1)", {"f32[4,3,5]", "f32[3,3]"}},
      {"unfold.default(a, 1, 3, 2)", {"f32[2,7]", "f32[2,8,3]"}},
      {"alias.default(a)", {"f32[2,7] t"}},
      {"detach.default(a)", {"f32[2,7] expand"}},
  };
  for (const Row& row : rows) {
    for (const std::string& input : row.inputs) {
      ExpectLowered(OneCall(row.call, 1), {input});
      LowerOptions symbolic;
      symbolic.symbolic = true;
      ExpectLowered(OneCall(row.call, 1), {input}, symbolic);
    }
  }
}

TEST(ViewRulesTest, ChainsOfViewsAgree) {
  ExpectLowered(
      "x\n"
      "a = view.default(x, [2, 5, 3, 4])\n"
      "b = permute.default(a, [0, 2, 1, 3])\n"
      "c = clone.default(b, memory_format=torch.contiguous_format)\n"
      "d = view.default(c, [6, 20])\n"
      "e = slice.Tensor(d, 1, 3, 17, 2)\n"
      "f = select.int(e, 0, -1)\n"
      "return (e, f)",
      {"f32[10,12]"});
}

}  // namespace
}  // namespace culprit::compiler::lower
