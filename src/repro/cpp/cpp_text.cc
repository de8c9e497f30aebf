// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/passes/hoist_random.h"
#include "repro/cpp/cpp_graph.h"
#include "repro/cpp/cpp_inputs.h"
#include "repro/cpp/cpp_names.h"
#include "repro/cpp/cpp_settings.h"
#include "repro/cpp/cpp_support.h"
#include "repro/keep_data.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;

constexpr std::string_view kCmakeLists = R"cmake(# A repro written by Culprit. To build and run it, type here:
#
#   cmake -B build && cmake --build build && build/repro
#
# That takes the PyTorch of python3. With another one, or a libtorch of its own:
#
#   cmake -B build -DTORCH=/path/to/site-packages/torch && cmake --build build && build/repro
cmake_minimum_required(VERSION 3.18)
project(repro CXX)

add_executable(repro main.cc)
set_target_properties(repro PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
# libtorch is built with NDEBUG, and the layout of some of its classes depends on it.
target_compile_definitions(repro PRIVATE NDEBUG STORE="${CMAKE_CURRENT_SOURCE_DIR}/store")

if(NOT TORCH)
  execute_process(COMMAND python3 -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
                  OUTPUT_VARIABLE TORCH OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT EXISTS "${TORCH}/include/ATen/core/Tensor.h")
  message(FATAL_ERROR " python3 has no PyTorch; name another: cmake -B build -DTORCH=/path/to/site-packages/torch")
endif()
target_include_directories(repro SYSTEM PRIVATE ${TORCH}/include ${TORCH}/include/torch/csrc/api/include)
#Operators register themselves when the library is loaded, whether it is called or not .
target_link_libraries(repro PRIVATE -Wl,--no-as-needed ${TORCH}/lib/libtorch.so ${TORCH}/lib/libtorch_cpu.so
                                    ${TORCH}/lib/libc10.so)
)cmake";

constexpr std::string_view kStoreMacro = R"(// CMakeLists.txt names the folder by its whole path.
#ifndef STORE
#define STORE "store"
#endif

)";

/// {} is what comes before the call whose outputs are shown.
constexpr const char* kMain = R"(
int main() {{
  try {{
{}    const Values outputs = Run();
    const c10::AutoGradMode no_gradients(false);
    for (size_t i = 0; i < outputs.size(); ++i) Print("output " + std::to_string(i), outputs[i]);
    return 0;
  }} catch (const c10::Error& error) {{
    std::fprintf(stderr, "error: %s\n", error.what_without_backtrace());
  }} catch (const std::exception& error) {{
    std::fprintf(stderr, "error: %s\n", error.what());
  }}
  return 1;
}}
)";

/// Every call gets inputs and a generator of its own, as in `culprit run`.
std::string MainOf(const Header& header) {
  const std::string earlier =
      header.calls == 1 ? ""
                        : fmt::format("    for (int call = 1; call < {}; ++call) Run();\n", header.calls);
  return fmt::format(kMain, earlier);
}

std::string OpeningOf(const KeptData& kept) {
  std::string text =
      "// A repro written by Culprit as a program that needs libtorch only. To build and run it, type here:\n"
      "//\n"
      "//   cmake -B build && cmake --build build && build/repro\n"
      "//\n"
      "// It prints, for every output: dtype, sizes, the 64-bit FNV-1a hash of its bytes in row-major order, "
      "and\n"
      "// its first 8 values.\n";
  if (!kept.random.empty()) {
    text += fmt::format("//\n// The data of these was not kept; they hold random numbers: {}\n",
                        fmt::join(kept.random, ", "));
  }
  if (kept.header.written_by) {
    const WrittenBy& origin = *kept.header.written_by;
    text += fmt::format("//\n// Written by Culprit {} with libtorch {}, BLAS {}, CPU {}\n", origin.culprit,
                        origin.libtorch, origin.blas, origin.cpu);
  }
  return text;
}

// An input that lies elsewhere would be rebuilt on the CPU.
base::Status CheckDevices(const graph::InputSpecs& specs) {
  for (const graph::StorageSpec& storage : specs.storages) {
    if (!storage.device.is_cpu())
      return Diagnostic{{}, fmt::format("an input on {} cannot be written in C++", storage.device.str())};
  }
  return base::Done{};
}

Result<std::string> BodyOf(const Repro& repro, const KeptData& kept) {
  const std::vector<std::string> names = CppNames(repro.graph);
  std::vector<std::string> constants;
  for (size_t i = 0; i < kept.constants.size(); ++i) {
    const graph::TensorConstant& constant = repro.graph.constants()[i];
    Result<std::string> text = CppTensorConstant(constant, kept.constants[i]);
    if (!text.ok()) {
      return Diagnostic{
          {}, fmt::format("constant '{}': {}", repro.graph.value(constant.value).name, text.error().message)};
    }
    constants.push_back(*std::move(text));
  }
  const std::string forward = CULPRIT_TRY(CppForward({repro.graph, kept.inputs, names, constants}));

  const auto& nodes = repro.graph.nodes();
  const bool draws = std::any_of(nodes.begin(), nodes.end(), graph::DrawsRandomNumbers);
  std::vector<std::string> arguments;
  for (const graph::Placeholder& placeholder : repro.graph.placeholders())
    arguments.push_back(names[graph::Index(placeholder.value)]);
  const std::string call = fmt::format("Forward({})", fmt::join(arguments, ", "));
  std::string run = "\nValues Run() {\n";
  run += CppInputs(repro.graph, kept.inputs, names);
  run += CppSettings(kept.header.run, draws);
  run += fmt::format("  return {};\n}}\n", call);
  return forward + run;
}

}  // namespace

Result<CppProject> ConvertToCpp(const Repro& repro, const WriteOptions& options,
                                const std::string& store_path) {
  const KeptData kept = CULPRIT_TRY(KeepData(repro, options, store_path));
  CULPRIT_TRY(CheckDevices(kept.inputs));
  const std::string body = CULPRIT_TRY(BodyOf(repro, kept));
  const std::string main = MainOf(kept.header);
  const CppSupport support = CppSupportFor(body + main);
  CppProject project{.cmake_lists = std::string(kCmakeLists), .random = kept.random};
  project.main = fmt::format(
      "{}\n{}\n"
      "{}"
      "namespace {{\n\n"
      "using Values = std::vector<c10::IValue>;\nconst c10::IValue None;\n\n"
      "// Defined at the end of this file.\n{}\n{}{}\n}}  // namespace\n{}",
      OpeningOf(kept), support.includes,
      support.definitions.find("STORE") == std::string::npos ? "" : kStoreMacro, support.declarations, body,
      support.definitions, main);
  return project;
}

Result<CppProject> WriteCppProject(const std::string& folder, const Repro& repro,
                                   const WriteOptions& options) {
  CppProject project = CULPRIT_TRY(ConvertToCpp(repro, options, folder + "/store"));
  CULPRIT_TRY(WriteText(folder + "/CMakeLists.txt", project.cmake_lists));
  CULPRIT_TRY(WriteText(folder + "/main.cc", project.main));
  return project;
}

}  // namespace culprit::repro
