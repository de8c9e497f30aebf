// SPDX-License-Identifier: Apache-2.0
#include "repro/symbols_by_size.h"

#include <gmock/gmock.h>

namespace culprit::repro {
namespace {

using graph::InputSpecs;
using graph::IntSpec;
using graph::TensorSpec;
using testing::ElementsAre;
using testing::IsEmpty;

/// Of inputs with these specs.
std::vector<std::vector<std::string>> SymbolsOf(const InputSpecs& inputs) {
  graph::Graph graph;
  for (size_t i = 0; i < inputs.inputs.size(); ++i) graph.AddPlaceholder("x" + std::to_string(i));
  SetSymbolsBySize(graph, inputs);
  std::vector<std::vector<std::string>> symbols;
  for (const graph::Placeholder& placeholder : graph.placeholders()) symbols.push_back(placeholder.symbols);
  return symbols;
}

TEST(SymbolsBySizeTest, EqualSizesAreOneSymbolAndZeroAndOneAreNone) {
  EXPECT_THAT(SymbolsOf({.inputs = {TensorSpec{.storage = 0, .sizes = {7, 1, 3}},
                                    TensorSpec{.storage = 1, .sizes = {3, 0, 7}}}}),
              ElementsAre(ElementsAre("s0", "", "s1"), ElementsAre("s1", "", "s0")));
}

TEST(SymbolsBySizeTest, IntegersSayWhatTheyAreCalled) {
  EXPECT_THAT(SymbolsOf({.inputs = {IntSpec{7, "s77"}, IntSpec{9, "s77 + 2"}, IntSpec{1, "s1"},
                                    TensorSpec{.storage = 0, .sizes = {7, 9}}}}),
              ElementsAre(ElementsAre("s77"), ElementsAre("s0"), IsEmpty(), ElementsAre("s77", "s0")));
}

TEST(SymbolsBySizeTest, TensorsThatShareMemoryKeepTheirSizes) {
  EXPECT_THAT(
      SymbolsOf({.inputs = {TensorSpec{.storage = 0, .sizes = {4}}, TensorSpec{.storage = 0, .sizes = {4}}}}),
      ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(SymbolsBySizeTest, AGraphThatHasSymbolsIsLeftAlone) {
  graph::Graph graph;
  graph.AddPlaceholder("x");
  graph.AddPlaceholder("y");
  graph.SetSymbols(0, {"s5"});
  SetSymbolsBySize(
      graph, {.inputs = {TensorSpec{.storage = 0, .sizes = {4}}, TensorSpec{.storage = 1, .sizes = {4}}}});
  EXPECT_THAT(graph.placeholders()[0].symbols, ElementsAre("s5"));
  EXPECT_THAT(graph.placeholders()[1].symbols, IsEmpty());
}

}  // namespace
}  // namespace culprit::repro
