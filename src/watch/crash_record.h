// SPDX-License-Identifier: Apache-2.0
//
// What is on disk before a compiler runs, for the case that the process does not survive it. A graph has one
// folder, whose data is written once however often it comes:
//
//   <run folder>/
//     repro.py                  what was begun last
//     in_progress/<thread>.py   what has begun and not ended, by thread: who is dead was in one of these
//     calls/<n>.py              each set of inputs that has come, up to a limit
//     store/
//
// If the record is closed in order, nothing has crashed, and the folder is removed. A process that was forked
// has a folder of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "repro/repro.h"
#include "repro/run_folder.h"
#include "repro/write_repro.h"

namespace culprit::watch {

class CrashRecord {
 public:
  /// When more than `limit` bytes are there and more comes, all is forgotten that no running call needs.
  static base::Result<std::unique_ptr<CrashRecord>> Create(const std::string& runs,
                                                           const std::string& graph_name, uint64_t limit);
  ~CrashRecord();
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

  /// Closes all records of this process in order: for the end of a program that does not destroy its graphs. What
  /// begins afterwards gets a new folder.
  static void CloseAll();

  /// This thread is about to compile or to call what the repro describes.
  base::Status Begin(const repro::Repro& repro, repro::WriteOptions::Data data);
  /// It has survived.
  void End();

  const std::string& path() const { return folder_->path(); }

 private:
  CrashRecord(std::string runs, std::string graph_name, uint64_t limit)
      : runs_(std::move(runs)), graph_name_(std::move(graph_name)), limit_(limit) {}
  base::Status MakeFolder();
  void Close();
  std::string InProgress() const;
  /// The data of the repro has been written, its text is about to be. Whether all was forgotten.
  bool ForgetIfFull(const repro::Repro& repro, const std::string& text);
  void Forget() const;

  const std::string runs_;
  const std::string graph_name_;
  const uint64_t limit_;
  /// Of this process.
  std::optional<repro::RunFolder> folder_;
  pid_t process_ = 0;
  std::mutex mutex_;
  /// The file of each text, by the hash of the text.
  std::unordered_map<std::string, std::string> files_;
  size_t calls_ = 0;
  /// An upper bound of what is on disk; nothing if nobody has counted.
  std::optional<uint64_t> bytes_;
  /// The text of what has begun and not ended, by thread.
  std::unordered_map<pid_t, std::string> running_;
};

}  // namespace culprit::watch
