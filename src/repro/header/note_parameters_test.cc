// SPDX-License-Identifier: Apache-2.0
#include "repro/header/note_parameters.h"

#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

size_t SettingsFor(graph::PlaceholderKind kind) {
  graph::Graph graph;
  graph.AddPlaceholder("x");
  graph.AddPlaceholder("w", kind);
  Header header;
  NoteParameters(graph, header);
  return header.settings.count(kFreezeSetting);
}

TEST(NoteParametersTest, OnlyAGraphWithoutAnySaysThatThereAreNone) {
  EXPECT_EQ(SettingsFor(graph::PlaceholderKind::kInput), 1U);
  EXPECT_EQ(SettingsFor(graph::PlaceholderKind::kParameter), 0U);
  EXPECT_EQ(SettingsFor(graph::PlaceholderKind::kBuffer), 0U);
}

}  // namespace
}  // namespace culprit::repro
