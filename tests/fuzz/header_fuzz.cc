// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are a header of a repro, or the trace of a run that is to go on. Whatever they ask for, the
// compiler that a header names is opened and the run is opened without loading a library, starting a program,
// mapping executable memory or changing a file (forbidden_calls.h): the first byte says which of the two.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "backends/table.h"
#include "check/query/query.h"
#include "hunt/run/resumed_run.h"
#include "open/compiler_request.h"
#include "process/settings.h"
#include "repro/header/header.h"
#include "tasks/ask.h"
#include "tests/fuzz/forbidden_calls.h"
#include "tests/lib/temporary_folder.h"

namespace {

using namespace culprit;  // NOLINT

/// A run that was interrupted; its trace is the input.
const std::string& RunFolder() {
  static const auto& folder = *new tests::TemporaryFolder;
  return folder.path();
}

void WriteFile(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

void Require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

/// As every command does it that compiles what a file holds.
void UseHeader(std::string_view text) {
  base::Result<repro::ParsedHeader> parsed = repro::HeaderFromJson(text);
  if (!parsed.ok()) return;
  const std::string written = repro::HeaderToJson(parsed->header);
  const base::Result<repro::ParsedHeader> again = repro::HeaderFromJson(written);
  Require(again.ok() && repro::HeaderToJson(again->header) == written,
          "a header changed when it was written and read");
  (void)tasks::ExpectationOf(parsed->header, backend::kDefaultMatchMode);
  const open::CompilerRequest compiler;
  (void)compiler.limits(parsed->header);
  if (!compiler.Apply(parsed->header, "fuzz.py").ok()) return;
  (void)check::OpenBackend(parsed->header);
}

void UseTrace() {
  hunt::HuntRequest request;
  request.resume = RunFolder();
  const base::Result<hunt::ResumedRun> run = hunt::OpenRun(request);
  Require(!run.ok() || run->request.judge_program.empty(), "a judge is believed that nobody has named");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  process::ApplySettings();
  WriteFile(RunFolder() + "/original.py", "");
  std::atexit([] { std::filesystem::remove_all(RunFolder()); });
  // What is made once per process is made before somebody watches.
  for (const backend::Kind* kind : backends::AllKinds()) (void)backends::Describe(kind->description().name);
  UseHeader(R"({"backend": "torchscript:stage=ofi"})");
  UseHeader(R"({"backend": "native"})");
  Require(tests::InstallCallFilter(), "the kernel has no filters for system calls");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_trace = data[0] == 't';
  if (is_trace) WriteFile(RunFolder() + "/trace.jsonl", text);
  const tests::WatchedCalls watched;
  if (is_trace) {
    UseTrace();
  } else {
    UseHeader(text);
  }
  Require(watched.denied() == 0, "a file has led to: " + watched.last());
  return 0;
}
