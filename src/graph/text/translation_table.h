// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace culprit::graph::text {

struct Translation {
  std::string_view op;
  std::string_view parameters;
  std::string_view when;
  std::string_view body;
};

std::span<const Translation> AllTranslations();

}  // namespace culprit::graph::text
