// SPDX-License-Identifier: Apache-2.0
#include "tasks/typed_task.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <set>

#include "process/renew_threads.h"
#include "tasks/wire/request_json.h"

namespace culprit::tasks {
namespace {

/// Notes what libtorch warns about in this process.
class WarningNotes : public c10::WarningHandler {
 public:
  explicit WarningNotes(open::Notes& notes) : notes_(&notes) {}

  void process(const c10::Warning& warning) override {
    const std::string& message = warning.msg();
    // libtorch appends the C++ function that warns.
    std::string text = message.substr(0, message.find(" (function "));
    if (seen_.insert(text).second) notes_->push_back(fmt::format("warning: libtorch: {}", text));
  }

 private:
  open::Notes* notes_;
  std::set<std::string> seen_;
};

}  // namespace

TaskScope::TaskScope()
    : warnings_(std::make_unique<WarningNotes>(notes_)),
      handler_before_(c10::WarningUtils::get_warning_handler()) {
  process::RenewThreads();
  c10::WarningUtils::set_warning_handler(warnings_.get());
}

TaskScope::~TaskScope() {
  c10::WarningUtils::set_warning_handler(handler_before_);
}

std::string ToBytes(const nlohmann::json& object) {
  std::string bytes;
  nlohmann::json::to_cbor(object, bytes);
  return bytes;
}

nlohmann::json FromBytes(const std::string& bytes) {
  return nlohmann::json::from_cbor(bytes);
}

nlohmann::json ErrorToJson(const base::Diagnostic& error) {
  return error;
}

base::Diagnostic ErrorFromJson(const nlohmann::json& object) {
  return object.get<base::Diagnostic>();
}

}  // namespace culprit::tasks
