// SPDX-License-Identifier: Apache-2.0
#include "watch/crash_record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "store/content_hash.h"

namespace culprit::watch {
namespace {

namespace fs = std::filesystem;

/// However small they are.
constexpr size_t kMostCalls = 1000;

uint64_t BytesIn(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder, error))
    bytes += file.is_regular_file(error) ? file.file_size(error) : 0;
  return bytes;
}

uint64_t MemoryOf(const std::vector<c10::IValue>& values) {
  uint64_t bytes = 0;
  for (const c10::IValue& value : values) {
    if (value.isTensor() && value.toTensor().has_storage()) bytes += value.toTensor().storage().nbytes();
  }
  return bytes;
}

/// Under another name, at once.
base::Status LinkOver(const std::string& file, const std::string& name) {
  std::error_code error;
  const std::string temporary = fmt::format("{}.{}", name, gettid());
  fs::remove(temporary, error);
  fs::create_hard_link(file, temporary, error);
  if (!error) fs::rename(temporary, name, error);
  // If both are the same file already, renaming does nothing.
  std::error_code ignored;
  fs::remove(temporary, ignored);
  if (error) return base::Diagnostic{{name}, "the file cannot be linked: " + error.message()};
  return base::Done{};
}

/// All records of the process. Never destroyed: graphs may outlive it.
struct Records {
  std::mutex mutex;
  std::unordered_set<CrashRecord*> open;
};

Records& AllRecords() {
  static Records& records = *new Records;
  return records;
}

}  // namespace

base::Result<std::unique_ptr<CrashRecord>> CrashRecord::Create(const std::string& runs,
                                                               const std::string& graph_name,
                                                               uint64_t limit) {
  auto record = std::unique_ptr<CrashRecord>(new CrashRecord(runs, graph_name, limit));
  CULPRIT_TRY(record->MakeFolder());
  const std::lock_guard lock(AllRecords().mutex);
  AllRecords().open.insert(record.get());
  return record;
}

base::Status CrashRecord::MakeFolder() {
  repro::RunFolder folder = CULPRIT_TRY(repro::RunFolder::Create(runs_, graph_name_));
  CULPRIT_TRY(folder.MakeFolder("calls"));
  CULPRIT_TRY(folder.MakeFolder("in_progress"));
  folder_ = std::move(folder);
  process_ = getpid();
  files_.clear();
  running_.clear();
  bytes_.reset();
  calls_ = 0;
  return base::Done{};
}

CrashRecord::~CrashRecord() {
  {
    const std::lock_guard lock(AllRecords().mutex);
    AllRecords().open.erase(this);
  }
  Close();
}

void CrashRecord::Close() {
  const std::lock_guard lock(mutex_);
  if (!folder_ || process_ != getpid() || !running_.empty()) return;
  folder_->Remove();
  process_ = 0;
}

void CrashRecord::CloseAll() {
  const std::lock_guard lock(AllRecords().mutex);
  for (CrashRecord* record : AllRecords().open) record->Close();
}

std::string CrashRecord::InProgress() const {
  return fmt::format("{}/in_progress/{}.py", folder_->path(), gettid());
}

bool CrashRecord::ForgetIfFull(const repro::Repro& repro, const std::string& text) {
  // Counting takes long, so contents that are there already are counted again until that seems too much.
  if (bytes_) *bytes_ += text.size() + MemoryOf(repro.inputs);
  if (!bytes_ || *bytes_ > limit_) bytes_ = BytesIn(folder_->path()) + text.size();
  if (*bytes_ <= limit_ && files_.size() < kMostCalls) return false;
  Forget();
  files_.clear();
  bytes_.reset();
  return true;
}

void CrashRecord::Forget() const {
  const auto is_needed = [&](const std::string& name) {
    return std::ranges::any_of(running_,
                               [&](const auto& call) { return call.second.find(name) != std::string::npos; });
  };
  std::error_code ignored;
  for (const char* folder : {"/store/storages", "/calls"}) {
    for (const fs::directory_entry& file : fs::directory_iterator(folder_->path() + folder, ignored)) {
      const bool is_data = file.is_regular_file(ignored) && !file.is_symlink(ignored);
      if (is_data && !is_needed(file.path().filename())) fs::remove(file.path(), ignored);
    }
  }
}

base::Status CrashRecord::Begin(const repro::Repro& repro, repro::WriteOptions::Data data) {
  const std::lock_guard lock(mutex_);
  if (process_ != getpid()) CULPRIT_TRY(MakeFolder());
  const repro::WriteOptions options{.data = data};
  const auto print = [&] { return repro::PrintRepro(folder_->repro(), repro, options); };
  std::string text = CULPRIT_TRY(print()).text;
  const auto hash = [](const std::string& of) {
    return store::ContentHash::Of(std::as_bytes(std::span(of))).ToString();
  };
  auto known = files_.find(hash(text));
  if (known == files_.end()) {
    // What is forgotten has to be written again, this one's data too.
    if (ForgetIfFull(repro, text)) text = CULPRIT_TRY(print()).text;
    const std::string file = fmt::format("{}/calls/{}.py", folder_->path(), calls_ + 1);
    CULPRIT_TRY(repro::WriteText(file, text));
    known = files_.emplace(hash(text), file).first;
    ++calls_;
  }
  CULPRIT_TRY(LinkOver(known->second, InProgress()));
  CULPRIT_TRY(LinkOver(known->second, folder_->repro()));
  folder_->BecomeLatest();
  running_[gettid()] = std::move(text);
  return base::Done{};
}

void CrashRecord::End() {
  const std::lock_guard lock(mutex_);
  std::error_code ignored;
  fs::remove(InProgress(), ignored);
  running_.erase(gettid());
}

}  // namespace culprit::watch
