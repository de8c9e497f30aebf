// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/python_outputs.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/ir/argument.h"
#include "graph/ir/graph.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using base::Diagnostic;

void WriteFile(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  CULPRIT_CHECK(file.good(), "cannot write {}", path);
}

std::string ReadFile(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

/// Takes the outputs apart. The format is our own, so an end too early is a bug of ours.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  std::vector<c10::IValue> Outputs() {
    std::vector<c10::IValue> outputs(Take<uint64_t>());
    for (c10::IValue& output : outputs) output = Output();
    CULPRIT_CHECK(bytes_.empty(), "{} bytes too many in Python's outputs", bytes_.size());
    return outputs;
  }

 private:
  void TakeBytes(void* to, size_t count) {
    CULPRIT_CHECK(bytes_.size() >= count, "Python's outputs end too early");
    if (count > 0) std::memcpy(to, bytes_.data(), count);
    bytes_.remove_prefix(count);
  }
  template <typename T>
  T Take() {
    T value{};
    TakeBytes(&value, sizeof(value));
    return value;
  }

  c10::IValue Output() {
    const char kind = Take<char>();
    switch (kind) {
      case 'N':
        return {};
      case 'b':
        return Take<uint8_t>() != 0;
      case 'i':
        return Take<int64_t>();
      case 'f':
        return Take<double>();
      case 't':
        return Tensor();
      default:
        CULPRIT_CHECK(false, "Python's outputs contain a '{}'", kind);
        return {};
    }
  }

  at::Tensor Tensor() {
    const auto dtype = static_cast<at::ScalarType>(Take<uint8_t>());
    std::vector<int64_t> sizes(Take<uint8_t>());
    for (int64_t& size : sizes) size = Take<int64_t>();
    at::Tensor tensor = at::empty(sizes, dtype);
    TakeBytes(tensor.data_ptr(), tensor.nbytes());
    return tensor;
  }

  std::string_view bytes_;
};

PythonOutputs Decode(std::string_view bytes) {
  constexpr std::string_view kOk = "ok\n";
  constexpr std::string_view kError = "error\n";
  if (bytes.starts_with(kOk)) return Decoder(bytes.substr(kOk.size())).Outputs();
  if (bytes.starts_with(kError)) return Diagnostic{{}, std::string(bytes.substr(kError.size()))};
  return Diagnostic{{}, "Python ended before this run"};
}

}  // namespace

std::vector<PythonOutputs> RunInPython(const std::vector<PythonRun>& runs, const PythonSettings& settings) {
  const TemporaryFolder folder;
  const auto script = [&](size_t i) { return folder / fmt::format("script_{}.py", i); };
  const auto inputs = [&](size_t i) { return folder / fmt::format("inputs_{}.pt", i); };
  const auto outputs = [&](size_t i) { return folder / fmt::format("outputs_{}.bin", i); };

  std::string list;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].repro.empty()) {
      list += fmt::format("{}\t-\t{}\n", runs[i].repro, outputs(i));
      continue;
    }
    WriteFile(script(i), runs[i].script);
    const std::vector<char> pickled = torch::jit::pickle_save(c10::ivalue::Tuple::create(runs[i].inputs));
    WriteFile(inputs(i), {pickled.data(), pickled.size()});
    list += fmt::format("{}\t{}\t{}\n", script(i), inputs(i), outputs(i));
  }
  WriteFile(folder / "list", list);
  const std::string command =
      fmt::format("'{}' '{}/tests/python/run_module.py' '{}' {} {}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER,
                  folder / "list", settings.seed, settings.threads);
  // How it ended shows in the outputs that are there and those that are not.
  [[maybe_unused]] const int status = std::system(command.c_str());

  std::vector<PythonOutputs> results;
  for (size_t i = 0; i < runs.size(); ++i) results.push_back(Decode(ReadFile(outputs(i))));
  return results;
}

bool SameBits(const c10::IValue& a, const c10::IValue& b) {
  const auto is_none = [](const c10::IValue& value) {
    return value.isNone() || (value.isTensor() && !value.toTensor().defined());
  };
  if (is_none(a) || is_none(b)) return is_none(a) && is_none(b);
  if (a.isTensor() != b.isTensor()) return false;
  if (!a.isTensor()) return graph::SameConstant(a, b);
  const auto in_order = [](const c10::IValue& value) {
    return value.toTensor().resolve_conj().resolve_neg().contiguous();
  };
  const at::Tensor x = in_order(a), y = in_order(b);
  return x.scalar_type() == y.scalar_type() && x.sizes() == y.sizes() &&
         (x.numel() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0);
}

}  // namespace culprit::tests
