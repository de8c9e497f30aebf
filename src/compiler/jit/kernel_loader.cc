// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/kernel_loader.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "compiler/jit/disk_cache.h"
#include "compiler/jit/each_in_parallel.h"
#include "compiler/jit/linker.h"
#include "store/content_hash.h"

namespace culprit::compiler::jit {
namespace {

std::string KeyOf(const loops::Kernel& kernel, const std::string& target) {
  const std::string text = loops::ToText(kernel) + "\n" + target;
  return store::ContentHash::Of(std::as_bytes(std::span(text))).ToString();
}

/// A kernel that is asked for, once or several times.
struct Request {
  std::string key;
  const loops::Kernel* kernel;
  std::shared_ptr<const LoadedKernel> loaded = nullptr;
  CodeSource source = CodeSource::kGenerator;
  bool not_kept = false;
};

/// One call of Load.
class Call {
 public:
  Call(const Generator& generator, MemoryCache& memory, const codegen::Options& options,
       const CacheOptions& cache)
      : generator_(generator), memory_(memory), options_(options), cache_(cache) {}

  void Ask(std::span<const loops::Kernel> kernels) {
    const std::string target = generator_.target_text(options_);
    std::unordered_map<std::string, size_t> request_by_key;
    for (const loops::Kernel& kernel : kernels) {
      std::string key = KeyOf(kernel, target);
      const auto [known, is_new] = request_by_key.try_emplace(key, requests_.size());
      request_of_.push_back(known->second);
      if (is_new) requests_.push_back({std::move(key), &kernel});
    }
    counts_.from_memory += kernels.size() - requests_.size();
  }

  void Answer() {
    if (cache_.use == CacheUse::kOn) FromMemory();
    const bool has_folder = cache_.use != CacheUse::kOff && !cache_.folder.empty();
    // Without a private folder nothing is kept.
    if (has_folder && !Missing().empty()) {
      if (auto disk = DiskCache::Open(cache_.folder, cache_.most_bytes); disk.ok()) disk_ = *std::move(disk);
    }
    if (cache_.use == CacheUse::kOn && disk_) FromDisk();
    FromGenerator();
    const auto not_kept = [](const Request& request) { return request.not_kept; };
    if (has_folder) counts_.not_kept += std::count_if(requests_.begin(), requests_.end(), not_kept);
    NoteSources();
  }

  std::vector<std::shared_ptr<const LoadedKernel>> Kernels() const {
    std::vector<std::shared_ptr<const LoadedKernel>> kernels;
    for (const size_t request : request_of_) kernels.push_back(requests_[request].loaded);
    return kernels;
  }

  const CacheCounts& counts() const { return counts_; }

 private:
  std::vector<Request*> Missing() {
    std::vector<Request*> missing;
    for (Request& request : requests_) {
      if (!request.loaded) missing.push_back(&request);
    }
    return missing;
  }

  void FromMemory() {
    for (Request& request : requests_) {
      request.loaded = memory_.FindKernel(request.key);
      if (request.loaded == nullptr) {
        if (const MemoryCache::Object object = memory_.FindObject(request.key)) {
          request.loaded = memory_.AddKernel(request.key, Link(*object));
        }
      }
      if (!request.loaded) continue;
      request.source = CodeSource::kMemory;
      ++counts_.from_memory;
    }
  }

  void FromDisk() {
    for (Request* request : Missing()) {
      DiskCache::Found found = disk_->Read(request->key);
      if (found.is_damaged) ++counts_.damaged;
      if (!found.object) continue;
      const auto object = std::make_shared<const std::string>(*std::move(found.object));
      request->loaded = memory_.AddKernel(request->key, Link(*object));
      memory_.KeepObject(request->key, object);
      request->source = CodeSource::kDisk;
      ++counts_.from_disk;
    }
  }

  void FromGenerator() {
    const std::vector<Request*> missing = Missing();
    EachInParallel(missing.size(), [&](size_t index) { Generate(*missing[index]); });
    counts_.generated += missing.size();
  }

  void Generate(Request& request) const {
    const auto object = std::make_shared<const std::string>(generator_.generate(*request.kernel, options_));
    request.loaded = Link(*object);
    if (cache_.use == CacheUse::kOff) return;
    if (cache_.use == CacheUse::kFresh) memory_.ReplaceKernel(request.key, request.loaded);
    if (cache_.use == CacheUse::kOn) request.loaded = memory_.AddKernel(request.key, request.loaded);
    memory_.KeepObject(request.key, object);
    // Last, and what cannot be loaded is not kept.
    request.not_kept = !disk_ || !disk_->Write(request.key, *object);
  }

  void NoteSources() {
    std::vector<bool> is_known(requests_.size());
    for (const size_t request : request_of_) {
      counts_.sources.push_back(is_known[request] ? CodeSource::kMemory : requests_[request].source);
      is_known[request] = true;
    }
  }

  const Generator& generator_;
  MemoryCache& memory_;
  const codegen::Options& options_;
  const CacheOptions& cache_;

  std::vector<Request> requests_;
  /// Per kernel.
  std::vector<size_t> request_of_;
  std::optional<DiskCache> disk_;
  CacheCounts counts_;
};

void AddTo(CacheCounts& sum, const CacheCounts& counts) {
  sum.generated += counts.generated;
  sum.from_disk += counts.from_disk;
  sum.from_memory += counts.from_memory;
  sum.damaged += counts.damaged;
  sum.not_kept += counts.not_kept;
  sum.sources.insert(sum.sources.end(), counts.sources.begin(), counts.sources.end());
}

}  // namespace

std::vector<std::shared_ptr<const LoadedKernel>> KernelLoader::Load(std::span<const loops::Kernel> kernels,
                                                                    const codegen::Options& options,
                                                                    const CacheOptions& cache,
                                                                    CacheCounts* counts) {
  Call call(generator_, memory_, options, cache);
  call.Ask(kernels);
  call.Answer();
  if (counts != nullptr) AddTo(*counts, call.counts());
  return call.Kernels();
}

}  // namespace culprit::compiler::jit
