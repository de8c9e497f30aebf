// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "tests/api/archive.h"
#include "tests/attempts/attempt.h"
#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOutput = size_t{256} << 10;

constexpr const char* kGraph = R"(
class Repro(torch.nn.Module):
    def forward(self, x):
        sin = torch.ops.aten.sin.default(x)
        exp = torch.ops.aten.exp.default(sin)
        cos = torch.ops.aten.cos.default(exp)
        tanh = torch.ops.aten.tanh.default(cos)
        sin_1 = torch.ops.aten.sin.default(tanh)
        return (sin_1,)


def load_args(reader):
    buf0 = reader.storage(None, 64)
    reader.tensor(buf0, (4, 4), is_leaf=True)  # x
load_args._version = 0
)";

constexpr const char* kHeader = R"(culprit = '''{
  "format": 1,
  "backend": "eager",
  "faults": ["tanh:accuracy"]
}'''
)";

constexpr const char* kModel = R"(
def forward(x: Tensor) -> Tensor:
    y = torch.tanh(x)
    if bool(y.sum() > 0):
        y = y + 1
    return torch.sin(y)
)";

constexpr const char* kClass = R"(
class Net(Module):
  __parameters__ = ["weight", ]
  weight : Tensor  # = f32[4]
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    return torch.tanh(x)
)";

/// Made once: an archive takes libtorch a while.
const fs::path& Template() {
  static const TemporaryFolder& folder = *[] {
    auto* made = new TemporaryFolder;
    WriteWholeFile(*made / "net.py", kGraph);
    WriteWholeFile(*made / "repro.py", std::string(kHeader) + kGraph);
    WriteWholeFile(*made / "model.py", kModel);
    WriteWholeFile(*made / "judge.sh", "#!/bin/sh\ntouch canary\nexit 0\n");
    fs::permissions(*made / "judge.sh", fs::perms::all);
    fs::copy_file(CULPRIT_EVIL_LIBRARY, *made / "evil.so");
    const TemporaryFolder elsewhere;
    fs::copy_file(SaveArchive(elsewhere, kClass), *made / "net.pt");
    return made;
  }();
  static const fs::path path = folder.path();
  return path;
}

std::string ControlCharacterIn(const std::string& text) {
  for (const unsigned char c : text) {
    const bool is_harmless = c >= 0x20 || c == '\n' || c == '\t';
    if (!is_harmless || c == 0x7f) return fmt::format("byte {:#04x} reached the terminal", c);
  }
  return "";
}

std::string JudgeRun(const ProgramRun& run, const Attempt& attempt) {
  if (!attempt.codes.contains(run.exit_code))
    return fmt::format("exit code {} is none of {}", run.exit_code, fmt::join(attempt.codes, ", "));
  if (run.out.size() + run.err.size() > kMostOutput)
    return fmt::format("printed {} bytes", run.out.size() + run.err.size());
  for (const char* word : {"internal error", "terminate called", "Sanitizer"}) {
    if (run.err.find(word) != std::string::npos) return fmt::format("says '{}'", word);
  }
  for (const char* word : {"unknown option '--", "unknown kind '"}) {
    if (!attempt.may_misspell && run.err.find(word) != std::string::npos)
      return "an attempt that tries nothing";
  }
  return ControlCharacterIn(run.out + run.err);
}

std::string JudgeFiles(const TemporaryFolder& folder, const Attempt& attempt) {
  if (!attempt.may_run_code && fs::exists(folder / "work/canary")) return "code of the file was run";
  if (!fs::is_empty(folder / "outside")) return "something was written outside";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "tmp"))
    return fmt::format("left {} in the temporary folder", entry.path().filename().string());
  return "";
}

}  // namespace

std::string Try(const Attempt& attempt) {
  const TemporaryFolder folder;
  fs::copy(Template(), folder / "work", fs::copy_options::recursive);
  for (const char* name : {"tmp", "outside", "home"}) fs::create_directory(folder / name);
  const std::string program_folder = fs::path(CULPRIT_PROGRAM).parent_path();
  const ProgramRun run = RunProgram({"/usr/bin/timeout", "-k", "5", "90", "/bin/bash", "-c",
                                     "cd " + folder / "work" + "; " + attempt.command},
                                    {{"PATH", program_folder + ":/usr/bin:/bin"},
                                     {"TMPDIR", folder / "tmp"},
                                     {"HOME", folder / "home"},
                                     {"XDG_CACHE_HOME", std::nullopt}});
  std::string wrong = JudgeRun(run, attempt);
  if (wrong.empty()) wrong = JudgeFiles(folder, attempt);
  if (wrong.empty()) return "";
  return fmt::format("{}\n{}\n{}", wrong, run.out.substr(0, 2000), run.err.substr(0, 2000));
}

}  // namespace culprit::tests
