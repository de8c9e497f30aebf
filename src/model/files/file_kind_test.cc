// SPDX-License-Identifier: Apache-2.0
#include "model/files/file_kind.h"

#include <gtest/gtest.h>

#include "tests/lib/temporary_folder.h"

namespace culprit::model {
namespace {

using namespace std::string_literals;

std::string NameOf(const FileKind* kind) {
  return kind == nullptr ? "" : std::string(kind->name);
}

TEST(FileKindTest, BytesAreRecognised) {
  EXPECT_EQ(NameOf(KindOfBytes("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.")),
            "a file of tensors in PyTorch's old format");
  EXPECT_EQ(NameOf(KindOfBytes("\x80\x04\x95")), "a pickle of Python");
  EXPECT_EQ(NameOf(KindOfBytes("\x1f\x8b\x08")), "compressed with gzip");
  EXPECT_EQ(NameOf(KindOfBytes("\x7f"
                               "ELF\x02")),
            "a program or a shared library");
  EXPECT_EQ(NameOf(KindOfBytes("\x08\x07\x12\x07pytorch\x1a"s)), "an ONNX model");
  EXPECT_EQ(NameOf(KindOfBytes("\x40\0\0\0\0\0\0\0{\"a\":"s)),
            "a file of tensors (safetensors), without a program");
  EXPECT_EQ(NameOf(KindOfBytes(std::string(257, '\0') + "ustar")), "a tar archive");
  EXPECT_EQ(NameOf(KindOfBytes("\x93NUMPY\x01")), "an array of NumPy");
}

TEST(FileKindTest, TextIsOfNoKind) {
  for (const std::string& text : {""s, "a"s, "class Repro(torch.nn.Module):\n"s, "BZ"s, "PK"s})
    EXPECT_EQ(KindOfBytes(text), nullptr) << text;
}

TEST(FileKindTest, AFolderIsNoFile) {
  const tests::TemporaryFolder folder;
  EXPECT_EQ(NameOf(KindOfFile(folder.path())), "a folder");
  EXPECT_EQ(KindOfFile(folder / "nothing"), nullptr);
}

TEST(FileKindTest, HelpNamesTheFile) {
  EXPECT_EQ(KindOfBytes("\x1f\x8b")->HelpFor("my net.gz"),
            "to read it, run: gunzip -c 'my net.gz' | culprit graph -");
  EXPECT_EQ(KindOfBytes("%PDF")->HelpFor("a"), "");
}

TEST(FileKindTest, TextsAreToldApart) {
  const std::string graph =
      "class Repro(torch.nn.Module):\n    def forward(self, x):\n        return "
      "torch.ops.aten.sin.default(x)\n";
  const std::string functions = "# f\ndef f(x: Tensor) -> Tensor:\n  return torch.relu(x)\n";
  const std::string classes = "class Net(Module):\n  training : bool\n";
  EXPECT_TRUE(IsGraphText(graph));
  EXPECT_FALSE(IsModelText(graph));
  for (const std::string& model : {functions, classes}) {
    EXPECT_FALSE(IsGraphText(model));
    EXPECT_TRUE(IsModelText(model));
  }
  EXPECT_FALSE(IsGraphText("{}"));
  EXPECT_FALSE(IsModelText("{}"));
}

}  // namespace
}  // namespace culprit::model
