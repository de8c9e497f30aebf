// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "graph/ir/verify.h"
#include "graph/text/script/script.h"

namespace culprit::graph::text {

/// A script that has to be right.
inline Script ReadValidScript(const std::string& text) {
  base::Result<Script> script = ReadScript("net.py", text);
  EXPECT_TRUE(script.ok()) << script.error().Render();
  EXPECT_TRUE(Verify(script->graph).ok()) << Verify(script->graph).error().message;
  return *std::move(script);
}

}  // namespace culprit::graph::text
