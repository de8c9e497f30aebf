// SPDX-License-Identifier: Apache-2.0
#include "capture/breaks/breaks.h"

#include <array>

namespace culprit::capture {
namespace {

constexpr BreakDescription kBreaks[] = {
    {BreakKind::kTensorToNumber, "B01", "a tensor becomes a number",
     "The program asks for the numbers of a tensor (item, int(x), float(x), tolist), which exist only when "
     "it runs. Tensors that are made of sizes and numbers alone, as traces have them, are no break.",
     "Keep the value a tensor; compute with it instead of taking it out."},
    {BreakKind::kTensorToBool, "B02", "a branch depends on the numbers of a tensor",
     "An if, while, assert, and, or, not looks at a tensor. Which way it goes is known only when the program "
     "runs.",
     "Compute both sides and choose with torch.where, or decide from sizes instead."},
    {BreakKind::kDataDependentShape, "B03", "the size of a result depends on the numbers of a tensor",
     "nonzero, masked_select, unique, indexing with a mask and their like return as many elements as the "
     "numbers "
     "ask for.",
     "Use a form of fixed size: torch.where, multiplication with the mask, topk, output_size."},
    {BreakKind::kPrint, "B04", "the program prints",
     "What print shows has to appear in its place, with the numbers of the run.",
     "Remove the print from code that runs often."},
    {BreakKind::kWarning, "B05", "the program warns",
     "warnings.warn has to happen when the program gets there.", "Warn once, outside of the model."},
    {BreakKind::kRaise, "B06", "the program raises an exception",
     "With these arguments the program reaches a raise, or an assert that fails.",
     "Nothing to do, if the exception is meant."},
    {BreakKind::kFailingOperator, "B07", "an operator refuses its arguments",
     "Without numbers the operator throws; it is left to the program to throw the same, or not.",
     "Look at the reason: a size may not fit."},
    {BreakKind::kUncapturedOperator, "B08", "an operator that only TorchScript has touches a tensor",
     "Graphs hold operators of libtorch's dispatcher. This one is a part of TorchScript's interpreter, or "
     "belongs "
     "to a library whose operators return something else than tensors.",
     "Use the operator of torch.* that does the same."},
    {BreakKind::kUncapturedArguments, "B09", "an operator gets or returns what a graph cannot hold",
     "Graphs hold tensors, numbers, lists of both, strings and devices; not objects, streams or storages.",
     "Hand over tensors or numbers."},
    {BreakKind::kModeChange, "B10", "grad mode or autocast changes",
     "A graph runs in one mode. with torch.no_grad() and its like end one graph and begin another.",
     "Put the whole model, or nothing of it, into the with block."},
    {BreakKind::kEffect, "B11", "the program does something that is no computation",
     "Seeds, clocks, profilers, gradients: such calls have to happen in their place.",
     "Move it out of the model."},
    {BreakKind::kNativeCall, "B12", "a function or class written in C++ is called",
     "A custom class (torch::CustomClassHolder) or a function that is not written in TorchScript cannot be "
     "looked "
     "into.",
     "Register it as an operator with a Meta kernel."},
    {BreakKind::kDisabled, "B13", "a function is excluded from capture",
     "Somebody asked for that with --disable.", "Leave the option away."},
    {BreakKind::kFork, "B14", "the program forks or waits",
     "torch.jit.fork, torch.jit.wait and awaitables belong to the program's own schedule.",
     "Call the function instead."},
    {BreakKind::kUnusualTensor, "B15", "a tensor that is not dense, or not on the CPU, is used",
     "Sparse, quantised and opaque tensors, and those of other devices, have no stand-in without memory.",
     "Convert it before the model, if its operators allow that."},
    {BreakKind::kTooLong, "B16", "a graph gets too long",
     "A loop is written out operator by operator; a graph ends when it has too many.",
     "Shorten the loop, or put its body into a function that is excluded with --disable."},
};

}  // namespace

std::span<const BreakDescription> AllBreaks() {
  return kBreaks;
}

const BreakDescription& DescriptionOf(BreakKind kind) {
  return kBreaks[static_cast<size_t>(kind)];
}

}  // namespace culprit::capture
