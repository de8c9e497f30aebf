// SPDX-License-Identifier: Apache-2.0
#include "backend/insight.h"

#include <utility>

namespace culprit::backend {
namespace {

const Insight*& Current() {
  static thread_local const Insight* current = nullptr;
  return current;
}

}  // namespace

InsightScope::InsightScope(Insight insight)
    : insight_(std::move(insight)), outer_(std::exchange(Current(), &insight_)) {}

InsightScope::~InsightScope() {
  Current() = outer_;
}

bool IsInsightWanted() {
  return Current() != nullptr;
}

void ShowInsight(const std::string& name, const std::string& text) {
  if (Current() != nullptr) (*Current())(name, text);
}

}  // namespace culprit::backend
