// SPDX-License-Identifier: Apache-2.0
#include "model/files/pickle_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "store/file_contents.h"

namespace culprit::model {
namespace {

using testing::HasSubstr;

constexpr std::string_view kBeginning = "\x80\x02";

/// The value as text, or the error. There is one storage, '0', of 8 bytes.
std::string Read(std::string_view instructions) {
  const auto load = [](const std::string& key, uint64_t /*claimed*/) -> base::Result<c10::Storage> {
    if (key != "0") return base::Diagnostic{{"x.pt"}, "there is no such storage"};
    return store::AllocateStorage(8);
  };
  const auto value = ReadPickle("x.pt", std::string(kBeginning) + std::string(instructions), load);
  if (!value.ok()) return value.error().message;
  std::ostringstream stream;
  if (value->isTensor()) {
    stream << value->toTensor().sizes() << " " << value->toTensor().scalar_type();
  } else {
    stream << *value;
  }
  return stream.str();
}

std::string Text(std::string_view text) {
  return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') + std::string(text);
}

/// torch._utils._rebuild_tensor_v2(storage '0' of floats, offset, (size,), (1,), False, OrderedDict())
std::string Tensor(char offset, char size) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + Text("storage") + "ctorch\nFloatStorage\n" + Text("0") +
         Text("cpu") + "K\x02tQK" + offset + "K" + size + "\x85K\x01\x85\x89" +
         "ccollections\nOrderedDict\n)RtR";
}

TEST(PickleReaderTest, NumbersStringsAndContainersAreMade) {
  EXPECT_EQ(Read("(K\x05J\xfe\xff\xff\xff\x88Nt."), "(5, -2, True, None)");
  EXPECT_EQ(Read("](K\x01K\x02"
                 "e."),
            "[1, 2]");
  EXPECT_EQ(Read("]K\x01"
                 "a."),
            "[1]");
  EXPECT_EQ(Read("}" + Text("a") + "K\x01s."), "{a: 1}");
  EXPECT_EQ(Read("ccollections\nOrderedDict\n)R(" + Text("a") + "K\x01u}b."), "{a: 1}");
  EXPECT_EQ(Read("\x8a\x02\x01\x80."), "-32767") << "a long";
}

TEST(PickleReaderTest, TensorsLieOnTheirStorage) {
  EXPECT_EQ(Read(Tensor('\0', '\x02') + "."), "[2] Float");
  EXPECT_EQ(Read("ctorch._utils\n_rebuild_parameter\n(" + Tensor('\0', '\x01') + "\x88}tR."), "[1] Float");
  EXPECT_THAT(Read(Tensor('\x01', '\x02') + "."), HasSubstr("its contents cannot be read: "));
}

TEST(PickleReaderTest, NothingIsCalled) {
  EXPECT_EQ(Read("cos\nsystem\n" + Text("true") + "\x85R."),
            "its contents cannot be read: 'os.system' is neither a tensor nor a container");
  EXPECT_EQ(Read("ca\nB\n)\x81."),
            "its contents cannot be read: an object of 'a.B' is neither a tensor nor a container");
  EXPECT_EQ(Read("cos\nsystem\n."), "its contents cannot be read: it makes no value");
}

TEST(PickleReaderTest, ValuesAreFiniteAndNotTooDeep) {
  EXPECT_EQ(Read("]q\x01h\x01"
                 "a."),
            "its contents cannot be read: a value contains itself");
  std::string deep = ")";
  for (int i = 0; i < 100'000; ++i) deep += "\x85";
  EXPECT_EQ(Read(deep + "."), "its contents cannot be read: more than 64 levels of containers");
  std::string large = "K\x01q\x01";
  for (int i = 0; i < 40; ++i) large += "h\x01\x86q\x01";
  EXPECT_EQ(Read(large + "."), "its contents cannot be read: more than 10000000 values");
  std::string hidden = ")q\x01";
  for (int i = 0; i < 1000; ++i) hidden += "ctorch\nSize\nh\x01\x85\x85Rq\x01";
  EXPECT_EQ(Read(hidden + "."), "its contents cannot be read: more than 64 levels of containers");
  EXPECT_EQ(Read("cos\nx\n\x85\x85."), "its contents cannot be read: arguments of calls are nested");
}

TEST(PickleReaderTest, AlteredInstructionsDoNoHarm) {
  const std::string whole = "(" + Tensor('\0', '\x02') +
                            "]q\x01(K\x01h\x01"
                            "e}q\x02(" +
                            Text("a") + "K\x01ut.";
  std::mt19937 dice(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string altered = whole;
    for (int i = 0; i < 3; ++i) {
      const size_t place = dice() % altered.size();
      // An instruction from elsewhere, or any byte.
      altered[place] = dice() % 2 == 0 ? whole[dice() % whole.size()] : static_cast<char>(dice());
    }
    Read(altered);
  }
}

TEST(PickleReaderTest, WhatIsMissingIsAnError) {
  const std::string whole = Tensor('\0', '\x02') + ".";
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(Read(whole.substr(0, length)), HasSubstr("cannot be read")) << length;
  for (const char* text :
       {"a.", "]a.", "s.", "}K\x01s.", "e.", "u.", "t.", "\x85.", "R.", "Q.", "h\x07.", "b.", "."})
    EXPECT_THAT(Read(text), HasSubstr("cannot be read")) << text;
  EXPECT_EQ(Read("\x95."), "its contents cannot be read: the instruction 0x95 is unknown");
}

}  // namespace
}  // namespace culprit::model
