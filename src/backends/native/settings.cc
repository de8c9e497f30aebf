// SPDX-License-Identifier: Apache-2.0
#include "backends/native/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "compiler/jit/disk_cache.h"

namespace culprit::backends::native {
namespace {

using backend::FromFile;
using compiler::jit::CacheUse;

// Where users expect caches to be; nowhere if there is no home.
std::string DefaultFolder() {
  const auto from = [](const char* variable) {
    const char* text = std::getenv(variable);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string cache = from("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/culprit/kernels";
  if (const std::string home = from("HOME"); home.starts_with('/')) return home + "/.cache/culprit/kernels";
  return "";
}

/// A folder that somebody has named is to be used; the user's own is, if that is possible.
base::Status CheckFolder(const std::string& folder) {
  const base::Result<compiler::jit::DiskCache> opened = compiler::jit::DiskCache::Open(folder, 1);
  if (opened.ok() && access(folder.c_str(), W_OK | X_OK) == 0) return base::Done{};
  const std::string reason = opened.ok() ? std::strerror(errno) : opened.error().message;
  base::Diagnostic wrong{{"backend 'native'"},
                         fmt::format("nothing can be kept in cache_folder '{}': {}", folder, reason)};
  wrong.help = "name another folder, or keep nothing: cache=off";
  return wrong;
}

}  // namespace

std::vector<backend::OptionDescription> DescribeOptions() {
  return {{"math",
           "fast",
           "fast: within 2 ulp; exact: the bits of libtorch, for most operators",
           {"fast", "exact"},
           FromFile::kUse},
          {"codegen",
           "vectors",
           "vectors: instructions on vectors; llvm-o3: scalar loops and LLVM's own passes",
           {"vectors", "llvm-o3"},
           FromFile::kUse},
          {"registers",
           "widest",
           "of so many bits at most, as if the processor had no wider ones",
           {"widest", "512", "256", "128"},
           FromFile::kUse},
          {"parameters",
           "lifted",
           "lifted: inputs; frozen: constants wherever no gradients are recorded",
           {"lifted", "frozen"},
           FromFile::kUse},
          {"cache",
           "on",
           "machine code of kernels is kept on disk; fresh: and made again; off: nowhere",
           {"on", "fresh", "off"},
           FromFile::kUse},
          // Code from there is run.
          {"cache_folder", "", "where, if not in the user's cache folder", {}, FromFile::kAsk},
          // A small number would empty the user's cache.
          {"cache_mb", "256", "the most it may take, in megabytes", {}, FromFile::kAsk}};
}

base::Result<compiler::pipeline::Options> ReadOptions(const backend::Configuration& configuration) {
  compiler::pipeline::Options options;
  if (configuration["math"] == "exact") options.code.math = compiler::codegen::Math::kExact;
  if (configuration["codegen"] == "llvm-o3") options.code.route = compiler::codegen::Route::kLlvmO3;
  if (configuration["registers"] != "widest")
    options.code.most_register_bits = static_cast<unsigned>(std::stoul(configuration["registers"]));
  if (configuration["cache"] == "fresh") options.cache.use = CacheUse::kFresh;
  if (configuration["cache"] == "off") options.cache.use = CacheUse::kOff;
  options.cache.folder = configuration["cache_folder"];
  const bool is_named = !options.cache.folder.empty();
  if (!is_named) options.cache.folder = DefaultFolder();
  if (options.cache.use != CacheUse::kOff) {
    // A cache that is not there, or cannot be made, is no harm; one that others can write into is.
    CULPRIT_TRY(is_named ? CheckFolder(options.cache.folder)
                         : compiler::jit::DiskCache::CheckPrivate(options.cache.folder));
  }
  constexpr int64_t kMostMegabytes = 1 << 20;
  options.cache.most_bytes =
      static_cast<uint64_t>(CULPRIT_TRY(configuration.Integer("cache_mb", 1, kMostMegabytes))) << 20U;
  return options;
}

backend::Parameters ReadParameters(const backend::Configuration& configuration) {
  return configuration["parameters"] == "frozen" ? backend::Parameters::kFrozen
                                                 : backend::Parameters::kLifted;
}

}  // namespace culprit::backends::native
