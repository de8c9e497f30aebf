// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/kernel_loader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <stdexcept>

#include "tests/lib/constant_kernel.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::compiler::jit {
namespace {

using testing::HasSubstr;
using tests::Call;
using tests::ConstantKernel;

std::string Text(const CacheCounts& counts) {
  return fmt::format("generated {}, from disk {}, from memory {}, damaged {}, not kept {}", counts.generated,
                     counts.from_disk, counts.from_memory, counts.damaged, counts.not_kept);
}

/// Whether the process has memory there that can be executed.
bool IsCode(const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char access[8] = {};
    std::sscanf(line.c_str(), "%lx-%lx %7s", &begin, &end, access);
    if (begin <= place && place < end) return access[2] == 'x';
  }
  return false;
}

class KernelLoaderTest : public testing::Test {
 protected:
  using Kernels = std::vector<std::shared_ptr<const LoadedKernel>>;

  Kernels Load(const std::vector<int64_t>& numbers, const CacheOptions& cache = {}) {
    std::vector<loops::Kernel> kernels;
    kernels.reserve(numbers.size());
    for (const int64_t number : numbers) kernels.push_back(ConstantKernel(number));
    counts_ = {};
    return loader_->Load(kernels, options_, cache, &counts_);
  }

  /// As in another process, that has the folder only.
  void Forget() { loader_.emplace(generator_.Get()); }

  /// What became of one kernel after `change` of its file, in another process.
  std::string CountsAfter(const std::function<void(const std::string& path)>& change) {
    Load({5}, disk_);
    change(folder_ / *tests::NamesIn(folder_.path()).begin());
    Forget();
    EXPECT_EQ(Call(*Load({5}, disk_)[0]), 5);
    return Text(counts_);
  }

  void ExpectFromDiskInAnotherProcess() {
    Forget();
    EXPECT_EQ(Call(*Load({5}, disk_)[0]), 5);
    EXPECT_EQ(Text(counts_), "generated 0, from disk 1, from memory 0, damaged 0, not kept 0");
  }

  tests::CountingGenerator generator_;
  std::optional<KernelLoader> loader_{std::in_place, generator_.Get()};
  codegen::Options options_;
  CacheCounts counts_;
  const tests::TemporaryFolder folder_;
  const CacheOptions disk_{.folder = folder_.path()};
};

TEST_F(KernelLoaderTest, KernelsAreLoadedAndCalled) {
  const Kernels kernels = Load({7, 8});
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(Call(*kernels[0]), 7);
  EXPECT_EQ(Call(*kernels[1]), 8);
  EXPECT_EQ(Text(counts_), "generated 2, from disk 0, from memory 0, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, NoKernelsAreNoWork) {
  EXPECT_TRUE(Load({}).empty());
  EXPECT_EQ(generator_.count(), 0);
}

TEST_F(KernelLoaderTest, OfEachKernelItIsKnownWhereItsCodeIsFrom) {
  Load({5}, disk_);
  Forget();
  Load({6}, disk_);
  Load({7, 5, 7, 6}, disk_);
  EXPECT_THAT(counts_.sources, testing::ElementsAre(CodeSource::kGenerator, CodeSource::kDisk,
                                                    CodeSource::kMemory, CodeSource::kMemory));
}

TEST_F(KernelLoaderTest, AKernelThatNobodyHoldsIsUnloaded) {
  Kernels kernels = Load({7});
  Kernels other_holder = kernels;
  const auto* entry = reinterpret_cast<const void*>(kernels[0]->entry());
  kernels.clear();
  EXPECT_TRUE(IsCode(entry));
  EXPECT_EQ(Call(*other_holder[0]), 7);
  other_holder.clear();
  EXPECT_FALSE(IsCode(entry));
}

TEST_F(KernelLoaderTest, EqualKernelsInOneCallAreGeneratedOnce) {
  for (const CacheUse use : {CacheUse::kOn, CacheUse::kFresh, CacheUse::kOff}) {
    Forget();
    const Kernels kernels = Load({7, 8, 7, 7}, {.use = use});
    EXPECT_EQ(kernels[0], kernels[2]);
    EXPECT_EQ(kernels[0], kernels[3]);
    EXPECT_NE(kernels[0], kernels[1]);
    EXPECT_EQ(Call(*kernels[3]), 7);
    EXPECT_EQ(Text(counts_), "generated 2, from disk 0, from memory 2, damaged 0, not kept 0");
  }
}

TEST_F(KernelLoaderTest, AKernelThatSomebodyHoldsIsShared) {
  const Kernels first = Load({7});
  const Kernels second = Load({7});
  EXPECT_EQ(first[0], second[0]);
  EXPECT_EQ(Text(counts_), "generated 0, from disk 0, from memory 1, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, AKernelThatWasDroppedIsLoadedFromItsObject) {
  Load({7});
  EXPECT_EQ(Call(*Load({7})[0]), 7);
  EXPECT_EQ(Text(counts_), "generated 0, from disk 0, from memory 1, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, OtherOptionsAreOtherKernels) {
  const Kernels fast = Load({7});
  options_.math = codegen::Math::kExact;
  EXPECT_NE(Load({7})[0], fast[0]);
  EXPECT_EQ(generator_.count(), 2);
}

TEST_F(KernelLoaderTest, AnotherProcessFindsKernelsOnDisk) {
  Load({5}, disk_);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 0");
  ExpectFromDiskInAnotherProcess();
}

TEST_F(KernelLoaderTest, AKernelFromDiskIsFromMemoryTheNextTime) {
  Load({5}, disk_);
  Forget();
  Load({5}, disk_);
  Load({5}, disk_);
  EXPECT_EQ(Text(counts_), "generated 0, from disk 0, from memory 1, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, AnotherProcessorDoesNotFindThem) {
  Load({5}, disk_);
  Forget();
  generator_.target = "another processor";
  Load({5}, disk_);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, AFileWithADamagedObjectIsWrittenAgain) {
  const auto flip_last = [](const std::string& path) {
    std::string contents = tests::ReadWholeFile(path);
    contents.back() ^= 1;
    tests::WriteWholeFile(path, contents);
  };
  EXPECT_EQ(CountsAfter(flip_last), "generated 1, from disk 0, from memory 0, damaged 1, not kept 0");
  ExpectFromDiskInAnotherProcess();
}

TEST_F(KernelLoaderTest, AnEmptyFileIsWrittenAgain) {
  const auto empty = [](const std::string& path) { tests::WriteWholeFile(path, ""); };
  EXPECT_EQ(CountsAfter(empty), "generated 1, from disk 0, from memory 0, damaged 1, not kept 0");
  ExpectFromDiskInAnotherProcess();
}

TEST_F(KernelLoaderTest, AFileThatOthersMayWriteIsWrittenAgain) {
  const auto open_to_all = [](const std::string& path) { chmod(path.c_str(), 0666); };
  EXPECT_EQ(CountsAfter(open_to_all), "generated 1, from disk 0, from memory 0, damaged 1, not kept 0");
  ExpectFromDiskInAnotherProcess();
}

TEST_F(KernelLoaderTest, FreshReplacesWhatIsInMemoryAndOnDisk) {
  generator_.instead = [](const loops::Kernel&) { return codegen::Generate(ConstantKernel(-1), {}); };
  const Kernels wrong = Load({5}, disk_);
  generator_.instead = nullptr;
  EXPECT_EQ(Call(*Load({5}, disk_)[0]), -1);

  CacheOptions fresh = disk_;
  fresh.use = CacheUse::kFresh;
  EXPECT_EQ(Call(*Load({5}, fresh)[0]), 5);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 0");
  EXPECT_EQ(Call(*wrong[0]), -1);
  EXPECT_EQ(Call(*Load({5}, disk_)[0]), 5);
  EXPECT_EQ(Text(counts_), "generated 0, from disk 0, from memory 1, damaged 0, not kept 0");
  ExpectFromDiskInAnotherProcess();
}

TEST_F(KernelLoaderTest, OffUsesNeitherMemoryNorDisk) {
  CacheOptions off = disk_;
  off.use = CacheUse::kOff;
  const Kernels first = Load({5}, off);
  const Kernels second = Load({5}, off);
  EXPECT_NE(first[0], second[0]);
  EXPECT_EQ(generator_.count(), 2);
  EXPECT_TRUE(tests::NamesIn(folder_.path()).empty());
  Load({5}, disk_);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 0");
  Load({5}, off);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, AFolderThatCannotBeMadeOnlyMeansThatNothingIsKept) {
  tests::WriteWholeFile(folder_ / "file", "");
  const CacheOptions impossible{.folder = folder_ / "file/cache"};
  EXPECT_EQ(Call(*Load({5}, impossible)[0]), 5);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 0, damaged 0, not kept 1");
}

TEST_F(KernelLoaderTest, CountsAreAddedTo) {
  const std::vector<loops::Kernel> kernels = {ConstantKernel(5)};
  for (int i = 0; i < 3; ++i) loader_->Load(kernels, options_, {}, &counts_);
  EXPECT_EQ(Text(counts_), "generated 1, from disk 0, from memory 2, damaged 0, not kept 0");
}

TEST_F(KernelLoaderTest, TheErrorOfAGeneratorIsPassedOnAndTheNextCallBeginsAnew) {
  generator_.instead = [](const loops::Kernel&) -> std::string { throw std::runtime_error("on purpose"); };
  EXPECT_THROW(Load({5, 6}, disk_), std::runtime_error);
  generator_.instead = nullptr;
  EXPECT_EQ(Call(*Load({5, 6}, disk_)[1]), 6);
}

TEST_F(KernelLoaderTest, WhatIsNoObjectIsAnErrorInLlvmsWords) {
  generator_.instead = [](const loops::Kernel&) { return std::string("no object at all"); };
  try {
    Load({5}, disk_);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot load a kernel: "));
    EXPECT_THAT(error.what(), HasSubstr("not recognized"));
  }
  EXPECT_TRUE(tests::NamesIn(folder_.path()).empty());
}

TEST_F(KernelLoaderTest, AnObjectWithoutTheEntryIsAnError) {
  generator_.instead = [](const loops::Kernel& kernel) {
    std::string object = codegen::Generate(kernel, {});
    const size_t name = object.find(codegen::kEntryName);
    return object.replace(name, codegen::kEntryName.size(), "culprit_colonel");
  };
  try {
    Load({5});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("culprit_kernel"));
  }
}

}  // namespace
}  // namespace culprit::compiler::jit
