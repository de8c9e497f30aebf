// SPDX-License-Identifier: Apache-2.0
#include "model/inputs/input_text.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "graph/tensors/torch_error.h"
#include "model/inputs/input_parser.h"
#include "model/inputs/tensor_file.h"

namespace culprit::model {

using base::Diagnostic;
using base::Result;
using c10::IValue;

Result<Input> InputReader::Read(std::string_view text) {
  return Read(graph::text::Source(options_.name, text), 0, text.size());
}

Result<Input> InputReader::Read(const graph::text::Source& source, size_t begin, size_t end) {
  if (end - begin > kLongestInputText) {
    return Diagnostic{source.PlaceAt(begin),
                      fmt::format("the text of an input has {}, more than {}", base::HumanBytes(end - begin),
                                  base::HumanBytes(kLongestInputText))};
  }
  const auto make_tensor = [this](const TensorText& text) -> Result<IValue> {
    const std::optional<int64_t> bytes = BytesOf(text);
    if (!bytes || *bytes > options_.max_bytes - bytes_) {
      return Diagnostic{{},
                        fmt::format("the inputs need {}, more than the {} that they may have",
                                    bytes ? base::HumanBytes(bytes_ + *bytes) : "2^63 bytes",
                                    base::HumanBytes(options_.max_bytes))};
    }
    bytes_ += *bytes;
    try {
      return IValue(MakeTensor(text, options_.seed + 1 + tensors_++));
    } catch (const std::exception& error) {
      return Diagnostic{{}, fmt::format("the tensor cannot be made: {}", graph::TorchMessage(error))};
    }
  };
  const auto read_file = [this](const std::string& path) {
    return ReadTensorFile((std::filesystem::path(options_.folder) / path).string(), options_.max_bytes);
  };
  const auto earlier = [this](int64_t index) -> Result<IValue> {
    if (index >= 0 && index < static_cast<int64_t>(arguments_.size())) return arguments_[index];
    return Diagnostic{{}, fmt::format("there is no argument {} before this one", index)};
  };
  const InputSources sources = {make_tensor, read_file, earlier};
  InputParser parser(source, begin, end, sources);
  Input input{.keyword = parser.Keyword()};
  input.value = CULPRIT_TRY(parser.Whole());
  arguments_.push_back(input.value);
  input.marks = parser.TakeMarks();
  if (!input.marks.empty() && !options_.has_marks)
    return source.Error(begin, "this is no argument of a call, so its sizes cannot be marked with ? or =");
  return input;
}

Result<std::vector<Input>> ReadInputs(const std::vector<std::string>& texts,
                                      const InputTextOptions& options) {
  InputReader reader(options);
  std::vector<Input> inputs;
  inputs.reserve(texts.size());
  for (const std::string& text : texts) inputs.push_back(CULPRIT_TRY(reader.Read(text)));
  return inputs;
}

}  // namespace culprit::model
