// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/outline.h"

#include <gtest/gtest.h>

namespace culprit::graph::text {
namespace {

std::string FirstWords(std::string_view text, std::optional<size_t> offset) {
  return offset ? std::string(text.substr(*offset, text.find_first_of("(=:\n", *offset) - *offset)) : "none";
}

std::vector<ScriptOutline> Outline(const std::string& text) {
  const Source source("net.py", text);
  return *FindScripts(source);
}

TEST(FindScripts, FindsThePartsOfAScript) {
  const std::string text =
      "class Repro(torch.nn.Module):\n"
      "    graph_name = 'net'\n"
      "    placeholder_kinds = {'x': 'buffer'}\n"
      "    def __init__(self):\n        super().__init__()\n"
      "    def forward(self, x):\n        return (x,)\n"
      "def load_args(reader):\n    pass\n"
      "load_args._version = 0\n";
  const ScriptOutline script = Outline(text).at(0);
  EXPECT_EQ(script.class_name, "Repro");
  EXPECT_EQ(FirstWords(text, script.begin), "class Repro");
  EXPECT_EQ(FirstWords(text, script.graph_name), "graph_name ");
  EXPECT_EQ(FirstWords(text, script.placeholder_kinds), "placeholder_kinds ");
  EXPECT_EQ(FirstWords(text, script.init), "def __init__");
  EXPECT_EQ(FirstWords(text, script.forward), "def forward");
  EXPECT_EQ(FirstWords(text, script.load_args), "def load_args");
  EXPECT_EQ(FirstWords(text, script.load_args_version), "load_args._version ");
}

TEST(FindScripts, PartsThatAreMissingAreMissing) {
  const ScriptOutline script = Outline("class Repro:\n  def forward(self): return ()\n").at(0);
  EXPECT_FALSE(script.init || script.graph_name || script.placeholder_kinds || script.load_args ||
               script.load_args_version || script.reader_calls || script.args_list);
}

TEST(FindScripts, AForwardFunctionAloneIsAScript) {
  const std::string text = "def helper(x):\n  def forward(y):\n    pass\ndef forward(x):\n  return x\n";
  const std::vector<ScriptOutline> scripts = Outline(text);
  ASSERT_EQ(scripts.size(), 1);
  EXPECT_EQ(FirstWords(text, scripts[0].begin), "def forward");
  EXPECT_EQ(scripts[0].begin, text.rfind("def forward"));
}

TEST(FindScripts, ClassesWithoutForwardAreNone) {
  EXPECT_TRUE(Outline("class A:\n  def backward(self):\n    pass\nclass B: pass\n").empty());
  EXPECT_TRUE(Outline("").empty());
}

TEST(FindScripts, EveryScriptHasItsOwnLoadArgs) {
  const std::string script =
      "class Repro:\n  def forward(self):\n    return ()\n"
      "def load_args(reader):\n  pass\n";
  const std::vector<ScriptOutline> scripts = Outline(script + script);
  ASSERT_EQ(scripts.size(), 2);
  EXPECT_LT(*scripts[0].load_args, scripts[1].begin);
  EXPECT_GT(*scripts[1].load_args, scripts[1].begin);
}

TEST(FindScripts, SymbolsBelongToTheNextScript) {
  const std::string graph = "class Repro:\n  def forward(self):\n    return ()\n";
  const std::vector<ScriptOutline> scripts = Outline("s0 = 4\nname = 'x'\n" + graph + "s1 = 0x10\n" + graph);
  EXPECT_EQ(scripts.at(0).symbols, (std::map<std::string, int64_t, std::less<>>{{"s0", 4}}));
  EXPECT_EQ(scripts.at(1).symbols, (std::map<std::string, int64_t, std::less<>>{{"s1", 16}}));
}

TEST(FindScripts, AttributesOfSelfAreListedInOrder) {
  const ScriptOutline script =
      Outline("class Repro:\n  def forward(self, x):\n    a = self.b\n    return f(self.c, self.b)\n").at(0);
  EXPECT_EQ(script.attributes_used, (std::vector<std::string_view>{"b", "c", "b"}));
}

TEST(FindScripts, FindsTheInputsOfScriptsOf20) {
  const std::string text =
      "class Repro:\n  def forward(self, x):\n    return (x,)\n"
      "args = [((4,), (1,), torch.float32, 'cpu')]\nargs = [rand_strided(sh, st) for (sh, st) in args]\n"
      "buf0 = reader.storage(None, 16)\nbuf1 = reader.storage(None, 16)\n";
  const ScriptOutline script = Outline(text).at(0);
  EXPECT_EQ(script.args_list, text.find("args = "));
  EXPECT_EQ(script.reader_calls, text.find("buf0"));
}

TEST(FindScripts, WhatTheRestOfTheFileSaysDoesNotMatter) {
  const std::vector<ScriptOutline> scripts = Outline(
      "if True:\n    class Inner:\n        def forward(self):\n            pass\n"
      "x = {**y, 'forward': lambda z: z}\n'class A:'\n@decorator\n"
      "class Repro:\n  def forward(self):\n    return ()\n");
  ASSERT_EQ(scripts.size(), 1);
  EXPECT_EQ(scripts[0].class_name, "Repro");
}

}  // namespace
}  // namespace culprit::graph::text
