// SPDX-License-Identifier: Apache-2.0
//
// Two runtimes of OpenMP in one process are two pools of threads that take the processors from each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/e2e/culprit_program.h"
#include "tests/e2e/run_and_signal.h"
#include "tests/lib/process_census.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::SizeIs;

/// Large enough that libtorch and the compiler divide the work.
constexpr const char* kLargeSum =
    "class Repro(torch.nn.Module):\n"
    "    def forward(self, x):\n"
    "        mm = torch.ops.aten.mm.default(x, x)\n"
    "        add = torch.ops.aten.add.Tensor(mm, x)\n"
    "        tanh = torch.ops.aten.tanh.default(add)\n"
    "        return (tanh,)\n"
    "\n"
    "def load_args(reader):\n"
    "    buf0 = reader.storage(None, 4194304)\n"
    "    reader.tensor(buf0, (1024, 1024), is_leaf=True)  # x\n"
    "load_args._version = 0\n";

std::set<std::string> OpenMpRuntimesOf(pid_t process) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  std::set<std::string> runtimes;
  for (std::string line; std::getline(maps, line);) {
    const std::string file = line.substr(line.rfind('/') + 1);
    for (const char* name : {"libgomp", "libomp", "libiomp"}) {
      if (file.starts_with(name)) runtimes.insert(line.substr(line.find('/')));
    }
  }
  return runtimes;
}

/// Libtorch has divided work in it.
bool HasPool(pid_t process) {
  return EntriesIn(fmt::format("/proc/{}/task", process)) > 1;
}

TEST(CliOpenMpTest, TheProgramAndItsChildrenHaveOneRuntimeEach) {
  const TemporaryFolder folder;
  WriteWholeFile(folder / "net.py", kLargeSum);
  const auto look = [](pid_t program) {
    // A child computes without the fault first; then it hangs. One that ends meanwhile has no libraries left.
    std::set<std::string> of_child;
    WaitUntil([&] {
      for (const pid_t process : DescendantsOf(program)) {
        if (HasPool(process)) of_child.merge(OpenMpRuntimesOf(process));
      }
      return !of_child.empty();
    });
    EXPECT_THAT(of_child, SizeIs(1));
    EXPECT_THAT(OpenMpRuntimesOf(program), SizeIs(1));
    kill(program, SIGTERM);
  };
  RunAndDisturb({"run", folder / "net.py", "--backend", "native", "--fault", "tanh:hang"}, look);
}

}  // namespace
}  // namespace culprit::tests
