// SPDX-License-Identifier: Apache-2.0
#include "cli/show/torch_warnings.h"

#include <c10/util/Exception.h>

#include <set>
#include <string>
#include <string_view>

#include "cli/show/print.h"

namespace culprit::cli {
namespace {

class Printer : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override {
    const std::string& message = warning.msg();
    // libtorch appends the C++ function that warns.
    const std::string_view text = std::string_view(message).substr(0, message.find(" (function "));
    if (seen_.emplace(text).second) PrintErr("warning: libtorch: {}\n", text);
  }

 private:
  std::set<std::string> seen_;
};

}  // namespace

void PrintTorchWarnings() {
  static Printer printer;
  c10::WarningUtils::set_warning_handler(&printer);
}

}  // namespace culprit::cli
