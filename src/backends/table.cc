// SPDX-License-Identifier: Apache-2.0
#include "backends/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/aot_eager/aot_eager.h"
#include "backends/eager/eager.h"
#include "backends/eager_fp64/eager_fp64.h"
#include "backends/native/native.h"
#include "backends/plugin/plugin.h"
#include "backends/torchscript/torchscript.h"
#include "base/text.h"

namespace culprit::backends {
namespace {

base::Result<const backend::Kind*> FindKind(const std::string& name) {
  std::vector<std::string_view> names;
  for (const backend::Kind* kind : AllKinds()) {
    if (kind->description().name == name) return kind;
    names.push_back(kind->description().name);
  }
  base::Diagnostic error{
      {}, fmt::format("unknown backend '{}'{}", base::Shortened(name), base::DidYouMean(name, names))};
  error.help =
      "a plug-in is named with a slash, as in ./libmine.so; to see all backends, run: culprit backends";
  return error;
}

}  // namespace

std::span<const backend::Kind* const> AllKinds() {
  static const eager::Eager eager;
  static const aot_eager::AotEager aot_eager;
  static const eager_fp64::EagerFp64 eager_fp64;
  static const torchscript::TorchScript torchscript;
  static const native::Native native;
  static const backend::Kind* const kinds[] = {&eager, &aot_eager, &eager_fp64, &torchscript, &native};
  return kinds;
}

base::Result<std::unique_ptr<backend::Backend>> Open(const backend::Spec& spec, const OpenOptions& options) {
  if (spec.names_file()) return OpenForGraphs(CULPRIT_TRY(plugin::Plugin::Load(spec.name)), spec, options);
  return OpenForGraphs(*CULPRIT_TRY(FindKind(spec.name)), spec, options);
}

base::Result<backend::Description> Describe(const std::string& name) {
  if (backend::Spec{name}.names_file())
    return WithGraphOptions(CULPRIT_TRY(plugin::Plugin::Load(name)).description());
  return WithGraphOptions(CULPRIT_TRY(FindKind(name))->description());
}

std::vector<Listed> List(std::string_view files) {
  std::vector<Listed> listed;
  for (const backend::Kind* kind : AllKinds())
    listed.push_back({kind->description().name, WithGraphOptions(kind->description())});
  while (!files.empty()) {
    const size_t end = std::min(files.find(':'), files.size());
    std::string file(files.substr(0, end));
    files.remove_prefix(std::min(end + 1, files.size()));
    if (file.empty()) continue;
    if (!backend::Spec{file}.names_file()) file.insert(0, "./");
    listed.push_back({file, Describe(file)});
  }
  return listed;
}

}  // namespace culprit::backends
