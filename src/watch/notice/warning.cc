// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/warning.h"

#include <c10/util/Exception.h>

#include <string_view>
#include <typeinfo>

namespace culprit::watch {
namespace {

/// libtorch does not export the type.
bool IsDelayed(const c10::WarningHandler& handler) {
  return std::string_view(typeid(handler).name()).find("DelayWarningHandler") != std::string_view::npos;
}

}  // namespace

void WarnNow(const std::string& text) {
  c10::WarningHandler* const current = c10::WarningUtils::get_warning_handler();
  c10::WarningHandler by_default;
  const c10::WarningUtils::WarningHandlerGuard guard(IsDelayed(*current) ? &by_default : current);
  TORCH_WARN("culprit: ", text);
}

}  // namespace culprit::watch
