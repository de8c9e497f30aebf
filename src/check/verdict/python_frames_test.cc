// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/python_frames.h"

#include <gmock/gmock.h>

namespace culprit::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(PythonFramesTest, TheInnermostComesFirst) {
  EXPECT_THAT(PythonFrames("compiling\nFatal Python error: Segmentation fault\n\n"
                           "Current thread 0x00007f0d (most recent call first):\n"
                           "  File \"/opt/a b/fuse.py\", line 12 in fuse\n"
                           "  File \"/opt/a b/fuse.py\", line 30 in compile\n\n"
                           "Extension modules: numpy (total: 1)\n"),
              ElementsAre("fuse at /opt/a b/fuse.py:12", "compile at /opt/a b/fuse.py:30"));
}

TEST(PythonFramesTest, WhatCallsTheCompilerIsLeftOut) {
  EXPECT_THAT(PythonFrames("(most recent call first):\n"
                           "  File \"/opt/mine/fuse.py\", line 30 in compile\n"
                           "  File \"/opt/python/culprit/servers/compiled.py\", line 51 in compile\n"
                           "  File \"/opt/python/culprit/servers/child.py\", line 60 in run\n"),
              ElementsAre("compile at /opt/mine/fuse.py:30"));
}

TEST(PythonFramesTest, TheThreadThatCrashedCounts) {
  EXPECT_THAT(PythonFrames("Current thread 1 (most recent call first):\n  File \"a.py\", line 1 in a\n\n"
                           "Thread 2 (most recent call first):\n  File \"b.py\", line 2 in b\n"),
              ElementsAre("a at a.py:1"));
}

TEST(PythonFramesTest, OfThreadsThatRunNoPythonTheMainThreadIsTold) {
  EXPECT_THAT(PythonFrames("Thread 1 (most recent call first):\n  File \"a.py\", line 1 in a\n"
                           "Thread 2 (most recent call first):\n  File \"b.py\", line 2 in b"),
              ElementsAre("b at b.py:2"));
}

TEST(PythonFramesTest, OtherTextHasNone) {
  EXPECT_THAT(PythonFrames(""), IsEmpty());
  EXPECT_THAT(PythonFrames("  File \"a.py\", line 1 in a\n"), IsEmpty());
  EXPECT_THAT(PythonFrames("(most recent call first):\n  File \"a.py\" line\n"), IsEmpty());
}

TEST(PythonFramesTest, ADeepStackIsCutOff) {
  std::string output = "(most recent call first):\n";
  for (int i = 0; i < 100; ++i) output += "  File \"a.py\", line 1 in a\n";
  EXPECT_THAT(PythonFrames(output), SizeIs(6));
}

}  // namespace
}  // namespace culprit::check
