// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/symbol_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/lib/temporary_folder.h"

namespace culprit::isolate {
namespace {

using testing::ElementsAre;

constexpr const char* kProgram = "/proc/self/exe";

int HiddenFunction() {
  return 42;
}

/// As addresses count in the file of the program.
uint64_t AddressInProgram(int (*function)()) {
  dl_find_object object;
  _dl_find_object(reinterpret_cast<void*>(function), &object);
  return reinterpret_cast<uint64_t>(function) - object.dlfo_link_map->l_addr;
}

TEST(SymbolFile, NamesFunctionsThatAreNotExported) {
  const uint64_t address = AddressInProgram(HiddenFunction);
  EXPECT_THAT(FunctionsAt(kProgram, std::vector<uint64_t>{address + 1, 1}),
              ElementsAre("_ZN7culprit7isolate12_GLOBAL__N_114HiddenFunctionEv", ""));
}

TEST(SymbolFile, NamesExportedFunctionsOfAStrippedLibrary) {
  dl_find_object object;
  ASSERT_EQ(_dl_find_object(reinterpret_cast<void*>(&std::strtoull), &object), 0);
  const link_map& library = *object.dlfo_link_map;
  const uint64_t address = reinterpret_cast<uint64_t>(&std::strtoull) - library.l_addr;
  EXPECT_THAT(FunctionsAt(library.l_name, std::vector<uint64_t>{address})[0], testing::HasSubstr("strtou"));
}

TEST(SymbolFile, KnowsNothingOfOtherFiles) {
  for (const char* path : {"/", "/dev/zero", "/proc/self/status", "missing", ""})
    EXPECT_THAT(FunctionsAt(path, std::vector<uint64_t>{1}), ElementsAre("")) << path;
}

TEST(SymbolFile, SurvivesDamagedFiles) {
  const std::string whole = tests::ReadWholeFile(kProgram);
  const tests::TemporaryFolder folder;
  const std::string path = folder / "damaged";
  for (const size_t size : {10ul, 64ul, whole.size() / 2, whole.size() - 100}) {
    tests::WriteWholeFile(path, whole.substr(0, size));
    EXPECT_THAT(FunctionsAt(path, std::vector<uint64_t>{1}), ElementsAre(""));
  }
  // The fields that say where the sections are and how many.
  for (size_t field = 40; field < 64; ++field) {
    std::string damaged = whole;
    damaged[field] = '\xff';
    tests::WriteWholeFile(path, damaged);
    EXPECT_EQ(FunctionsAt(path, std::vector<uint64_t>{1}).size(), 1u);
  }
}

}  // namespace
}  // namespace culprit::isolate
