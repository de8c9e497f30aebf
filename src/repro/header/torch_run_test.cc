// SPDX-License-Identifier: Apache-2.0
#include "repro/header/torch_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kMain =
    "if __name__ == '__main__':\n"
    "    from torch._dynamo.repro.after_aot import run_repro\n"
    "    with torch.no_grad():\n";

TorchRun Read(const std::string& configuration, const std::string& arguments = "", bool trust = false) {
  const std::string text = configuration + kMain + "        run_repro(mod, load_args" + arguments +
                           ")\n        # mod, args = run_repro(mod, load_args, accuracy='other')\n";
  return ReadTorchRun("launcher.py", text, trust).value();
}

std::string Entry(const std::string& text) {
  return "torch._inductor.config." + text + "\n";
}

TEST(TorchRunTest, OtherFilesAreNone) {
  EXPECT_FALSE(ReadTorchRun("net.py", "import torch\n", false));
}

TEST(TorchRunTest, TheCompilerIsInductorBelowAutograd) {
  EXPECT_EQ(Read("").backend, "inductor:graphs=below");
  EXPECT_EQ(ReadTorchRun("pasted.py", "import torch\nisolate_fails_code_str = None\n", false)->backend,
            "inductor:graphs=below");
}

TEST(TorchRunTest, LaunchersSayWhetherNumbersCount) {
  const std::string minify = ", command='minify'";
  EXPECT_EQ(Read("", ", accuracy=True" + minify).accuracy, Accuracy::kStrict);
  EXPECT_EQ(Read("", ", accuracy='strict_accuracy'" + minify).accuracy, Accuracy::kStrict);
  EXPECT_EQ(Read("", ", accuracy=False" + minify).accuracy, Accuracy::kOff);
}

TEST(TorchRunTest, AFileThatIsOnlyRunDoesNotSayIt) {
  EXPECT_EQ(Read("", ", accuracy=False, command='run'").accuracy, std::nullopt);
}

TEST(TorchRunTest, TheStoreAndTheTextOfTheExceptionAreNamed) {
  const TorchRun run = Read("", ", save_dir='/tmp/a b/checkpoints', check_str='out of \"range\"'");
  EXPECT_EQ(run.save_dir, "/tmp/a b/checkpoints");
  EXPECT_EQ(run.check_text, "out of \"range\"");
  EXPECT_THAT(Read("", ", save_dir=None, check_str=None").save_dir, IsEmpty());
}

TEST(TorchRunTest, HarmlessEntriesBecomeOptions) {
  const TorchRun run =
      Read(Entry("cpp.simdlen = 1") + Entry("cpp.threads = 4") + Entry("fallback_random = True") +
           Entry("cpp.inject_relu_bug_TESTING_ONLY = 'accuracy'"));
  EXPECT_EQ(run.backend,
            "inductor:graphs=below,cpp.simdlen=1,cpp.threads=4,fallback_random=1,"
            "cpp.inject_relu_bug_TESTING_ONLY=accuracy");
  EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(TorchRunTest, WhatPyTorchHasWithoutBeingToldIsNotRepeated) {
  const TorchRun run = Read(Entry("inplace_buffers = True") + Entry("triton.store_cubin = False") +
                            Entry("cpp.simdlen = None") + Entry("max_fusion_size = 64") +
                            Entry("generate_intermediate_hooks = True"));
  EXPECT_EQ(run.backend, "inductor:graphs=below");
  EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(TorchRunTest, WhatActedBeforeTheGraphWasMadeIsNotSet) {
  for (const bool trust : {false, true}) {
    const TorchRun run = Read(Entry("shape_padding = False") + Entry("freezing = True") +
                                  Entry("pre_grad_fusion_options = {'batch_linear': {}}"),
                              "", trust);
    EXPECT_EQ(run.backend, "inductor:graphs=below");
    EXPECT_THAT(run.warnings, IsEmpty());
  }
}

TEST(TorchRunTest, WhatNamesAProgramNeedsTrust) {
  const std::string file = Entry("cpp.cxx = 'evil'") + Entry("fx_graph_cache = True");
  const TorchRun run = Read(file);
  EXPECT_EQ(run.backend, "inductor:graphs=below");
  ASSERT_THAT(run.warnings, SizeIs(1));
  EXPECT_EQ(run.warnings[0].Render("warning"),
            "launcher.py: warning: left out of its configuration of Inductor: cpp.cxx, fx_graph_cache\n"
            "  note: each needs --trust: a file may not choose programs, folders or caches\n"
            "  help: if you trust it, add: --trust");
  EXPECT_EQ(Read(file, "", /*trust=*/true).backend, "inductor:graphs=below,cpp.cxx=evil,fx_graph_cache=1");
}

TEST(TorchRunTest, AWrongValueOfAHarmlessEntryNeedsTrust) {
  EXPECT_EQ(Read(Entry("cpp.inject_relu_bug_TESTING_ONLY = '; rm -r /'")).backend, "inductor:graphs=below");
  EXPECT_EQ(Read(Entry("cpp.threads = 'many'")).backend, "inductor:graphs=below");
}

TEST(TorchRunTest, ProgramsThatAreTriedInTurnNeedTrust) {
  const std::string file = Entry("cpp.cxx = (None, '/opt/a b/clang++')");
  EXPECT_EQ(Read(file).backend, "inductor:graphs=below");
  EXPECT_THAT(Read(file).warnings, SizeIs(1));
  EXPECT_EQ(Read(file, "", /*trust=*/true).backend, "inductor:graphs=below,cpp.cxx=none\\,/opt/a b/clang++");
  EXPECT_EQ(Read(Entry("cpp.cxx = ('evil',)"), "", /*trust=*/true).backend,
            "inductor:graphs=below,cpp.cxx=evil");
  EXPECT_THAT(Read(Entry("cpp.cxx = (None, 'g++')")).warnings, IsEmpty());
}

TEST(TorchRunTest, WhatIsNoValueIsLeftOutWhateverIsTrusted) {
  const TorchRun run = Read(Entry("cpp.cxx = [None, 1]"), "", /*trust=*/true);
  EXPECT_EQ(run.backend, "inductor:graphs=below");
  ASSERT_THAT(run.warnings, SizeIs(1));
  EXPECT_THAT(run.warnings[0].notes[0], HasSubstr("it has a value that is no boolean"));
}

}  // namespace
}  // namespace culprit::repro
