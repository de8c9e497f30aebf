// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/notice.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <mutex>
#include <stdexcept>
#include <typeinfo>
#include <utility>

#include "backend/foreign_error.h"
#include "base/shell_word.h"
#include "watch/notice/warning.h"

namespace culprit::watch {
namespace {

/// None of libtorch's own.
constexpr std::string_view kName = "culprit::watch::Notice";
constexpr c10::DebugInfoKind kKind(&kName);

thread_local int open_calls = 0;
thread_local std::optional<Notice> waiting;

std::string Joined(std::string text, const std::string& more) {
  if (!text.ends_with('\n')) text += '\n';
  return text + more;
}

template <typename Exception>
void RethrowIfExactly(const std::exception& error, const std::string& text) {
  if (typeid(error) == typeid(Exception)) throw Exception(Joined(error.what(), text));
}

/// The lines stand behind the backtrace, since that is where a text ends.
template <typename Error>
void RethrowIfTorch(const std::exception& error, const std::string& text) {
  if (typeid(error) != typeid(Error)) return;
  const auto& known = static_cast<const Error&>(error);
  const std::string backtrace = known.backtrace() ? known.backtrace()->get() : "";
  throw Error(known.what_without_backtrace(),
              std::make_shared<c10::PrecomputedLazyValue<std::string>>(Joined(backtrace, text)),
              known.caller());
}

}  // namespace

std::string Notice::Lines() const {
  if (repro.empty()) return fmt::format("culprit: graph {}\nculprit: no repro could be written\n", graph);
  return fmt::format(
      "culprit: graph {}\nculprit: repro {}\nculprit: to make it small, run: culprit minify {}\n", graph,
      repro, base::ShellWord(repro));
}

ProgramCall::ProgramCall() : outer_(std::exchange(waiting, std::nullopt)) {
  ++open_calls;
}

ProgramCall::~ProgramCall() {
  --open_calls;
  waiting = std::move(outer_);
}

void ProgramCall::Rethrow() {
  if (!waiting) throw;
  const std::string lines = std::exchange(waiting, std::nullopt)->Lines();
  RethrowWithText(lines);
}

bool IsInProgramCall() {
  return open_calls > 0;
}

struct ReportsOfBackward::Shared : c10::DebugInfoBase {
  /// Null if nobody waits for this thread.
  static Shared* Current() { return static_cast<Shared*>(c10::ThreadLocalDebugInfo::get(kKind)); }

  std::optional<Notice> Get() const {
    const std::lock_guard lock(mutex);
    return report;
  }
  void Set(const Notice& reported) {
    const std::lock_guard lock(mutex);
    report = reported;
  }

  /// A backward pass may run on several threads.
  mutable std::mutex mutex;
  std::optional<Notice> report;
};

ReportsOfBackward::ReportsOfBackward()
    : shared_(open_calls > 0 ? std::make_shared<Shared>() : nullptr), guard_(kKind, shared_) {}

ReportsOfBackward::~ReportsOfBackward() {
  if (shared_ && !waiting) waiting = shared_->Get();
}

bool IsReportWaiting() {
  const ReportsOfBackward::Shared* shared = ReportsOfBackward::Shared::Current();
  return waiting.has_value() || (shared != nullptr && shared->Get());
}

std::optional<Notice> TakeWaitingReport() {
  return std::exchange(waiting, std::nullopt);
}

void RethrowWith(const Notice& report) {
  ReportsOfBackward::Shared* shared = ReportsOfBackward::Shared::Current();
  if (open_calls > 0) {
    waiting = report;
  } else if (shared != nullptr) {
    shared->Set(report);
  } else {
    RethrowWithText(report.Lines());
  }
  throw;
}

void RethrowWithText(const std::string& text) {
  try {
    throw;
  } catch (const torch::jit::JITException& error) {
    throw torch::jit::JITException(Joined(error.what(), text), error.getPythonClassName(),
                                   error.getOriginalMsg());
  } catch (const backend::ForeignError& error) {
    if (!error.AddNote(text)) WarnNow("the repro of what is thrown now:\n" + text);
    throw;
  } catch (const std::exception& error) {
    RethrowIfTorch<c10::Error>(error, text);
    RethrowIfTorch<c10::IndexError>(error, text);
    RethrowIfTorch<c10::ValueError>(error, text);
    RethrowIfTorch<c10::TypeError>(error, text);
    RethrowIfTorch<c10::NotImplementedError>(error, text);
    RethrowIfTorch<c10::LinAlgError>(error, text);
    RethrowIfTorch<c10::OutOfMemoryError>(error, text);
    RethrowIfTorch<c10::BufferError>(error, text);
    RethrowIfTorch<c10::SyntaxError>(error, text);
    RethrowIfTorch<c10::DistError>(error, text);
    RethrowIfTorch<c10::DistBackendError>(error, text);
    RethrowIfTorch<c10::DistStoreError>(error, text);
    RethrowIfTorch<c10::DistNetworkError>(error, text);
    RethrowIfExactly<std::runtime_error>(error, text);
    RethrowIfExactly<std::logic_error>(error, text);
    RethrowIfExactly<std::invalid_argument>(error, text);
    RethrowIfExactly<std::out_of_range>(error, text);
    RethrowIfExactly<std::domain_error>(error, text);
    RethrowIfExactly<std::length_error>(error, text);
    RethrowIfExactly<std::range_error>(error, text);
    RethrowIfExactly<std::overflow_error>(error, text);
    RethrowIfExactly<std::underflow_error>(error, text);
    WarnNow("the repro of what is thrown now:\n" + text);
    throw;
  } catch (...) {
    WarnNow("the repro of what is thrown now:\n" + text);
    throw;
  }
}

}  // namespace culprit::watch
