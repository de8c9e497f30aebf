// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/machine.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/ir_emitter.h>

#include "capture/vm/failure.h"
#include "capture/vm/real_effects.h"

namespace culprit::capture::vm {
namespace {

TEST(Scratch, Runs) {
  auto unit = std::make_shared<torch::jit::CompilationUnit>();
  unit->define(c10::nullopt, R"(
def helper(x: Tensor, n: int):
    if n > 2:
        return x + n
    return x * n
def f(x: Tensor, n: int):
    y = x
    for i in range(n):
        y = helper(y, i)
    l = [1, 2]
    l.append(n)
    assert n < 5, "too big"
    return y, l
)", torch::jit::nativeResolver(), nullptr);
  CodeBook book;
  RealEffects effects(book);
  const Code& code = book.Of(unit->get_function(c10::QualifiedName("f")));
  State state = State::AtEntry(code, {at::ones({2}), int64_t{4}});
  Machine(book, effects).Run(state);
  std::cout << state.stack.back() << "\n";
  for (int64_t n : {6}) {
    State bad = State::AtEntry(code, {at::ones({2}), n});
    try { Machine(book, effects).Run(bad); } catch (const std::exception& e) { 
      try { LeaveWithError(bad, e); } catch (const std::exception& f) { std::cout << f.what() << "|\n"; } }
    try { torch::jit::Stack s{at::ones({2}), n}; torch::jit::Code c(torch::jit::toGraphFunction(unit->get_function(c10::QualifiedName("f"))).graph(), "f"); torch::jit::InterpreterState(c).run(s); }
    catch (const std::exception& f) { std::cout << f.what() << "|\n"; }
  }
}

}  // namespace
}  // namespace culprit::capture::vm
