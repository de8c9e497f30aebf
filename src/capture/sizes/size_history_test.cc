// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/size_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::capture {
namespace {

using Kind = SymbolSource::Kind;
using testing::ElementsAre;
using testing::IsEmpty;

/// A segment with one tensor called x.
Segment WithTensor(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  TensorLike like;
  like.sizes.append(sizes.begin(), sizes.end());
  like.strides.append(strides.begin(), strides.end());
  Segment segment;
  segment.guards.push_back({GuardSource{.name = "x"}, like});
  return segment;
}

Varying AfterAll(const std::vector<Segment>& segments, const SizeMarks& marks = {},
                 SizeHistory::Equal equal = SizeHistory::Equal::kAcrossValues) {
  SizeHistory history;
  for (const Segment& segment : segments) history.Note(segment);
  return history.VaryingIn(segments.back(), marks, equal);
}

TEST(SizeHistoryTest, AtFirstAllSizesAreFixed) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1})}), IsEmpty());
}

TEST(SizeHistoryTest, ASizeThatDiffersVaries) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({6, 3}, {3, 1})}),
              ElementsAre(SymbolSource{SourceId(0), Kind::kSize, 0, 0}));
}

TEST(SizeHistoryTest, OneAndZeroDoNot) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({1, 3}, {3, 1})}), IsEmpty());
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({0, 3}, {3, 1})}), IsEmpty());
}

TEST(SizeHistoryTest, AValueWithAnotherNumberOfDimensionsHasNoSymbolsEver) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({4}, {1}), WithTensor({6, 3}, {3, 1})}),
              IsEmpty());
}

TEST(SizeHistoryTest, StridesVaryOnlyWhereSizesDoNot) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {8, 1}), WithTensor({4, 3}, {10, 1})}),
              ElementsAre(SymbolSource{SourceId(0), Kind::kStride, 0, 0}));
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {8, 1}), WithTensor({5, 3}, {10, 1})}),
              ElementsAre(SymbolSource{SourceId(0), Kind::kSize, 0, 0}));
}

TEST(SizeHistoryTest, EqualSizesOfOneValueAreOneSymbolOnlyIfThatIsWanted) {
  const std::vector<Segment> squares = {WithTensor({4, 4}, {4, 1}), WithTensor({6, 6}, {6, 1})};
  EXPECT_THAT(AfterAll(squares), ElementsAre(SymbolSource{SourceId(0), Kind::kSize, 0, 0},
                                             SymbolSource{SourceId(0), Kind::kSize, 1, 1}));
  EXPECT_THAT(AfterAll(squares, {}, SizeHistory::Equal::kEverywhere),
              ElementsAre(SymbolSource{SourceId(0), Kind::kSize, 0, 0},
                          SymbolSource{SourceId(0), Kind::kSize, 1, 0}));
}

TEST(SizeHistoryTest, MarksDecide) {
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1})}, {.dynamic = {{"x", 0}}}),
              ElementsAre(SymbolSource{SourceId(0), Kind::kSize, 0, 0}));
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({6, 3}, {3, 1})}, {.fixed = {{"x", 0}}}),
              IsEmpty());
  EXPECT_THAT(AfterAll({WithTensor({4, 3}, {3, 1}), WithTensor({6, 3}, {3, 1})}, {.only_marked = true}),
              IsEmpty());
}

}  // namespace
}  // namespace culprit::capture
