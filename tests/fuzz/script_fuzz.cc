// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are read as a script: reading must end with a valid graph or an error, and a graph that was read
// must survive being printed and read again. Limits are small, so that an input that slips past one is
// noticed as slow.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "graph/ir/verify.h"
#include "graph/text/script/script.h"
#include "process/settings.h"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  culprit::process::ApplySettings();
  return 0;
}

namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using culprit::graph::text::Script;
  const culprit::graph::text::ReadOptions options{
      .which = 1, .max_source_bytes = 1 << 20, .max_constant_bytes = 1 << 20};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const culprit::base::Result<Script> script = ReadScript("fuzz.py", text, options);
  if (!script.ok()) return 0;
  Require(Verify(script->graph).ok(), "a graph that was read is invalid");
  const culprit::base::Result<std::string> printed = PrintScript(*script);
  if (!printed.ok()) return 0;
  const culprit::base::Result<Script> again = ReadScript("again.py", *printed, options);
  Require(again.ok(), "a graph that was printed cannot be read");
  Require(again->graph == script->graph, "a graph changed when it was printed and read");
  Require(again->inputs == script->inputs, "the inputs changed when they were printed and read");
  return 0;
}
