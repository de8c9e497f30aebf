// SPDX-License-Identifier: Apache-2.0
//
// What a compiler shows of its inner workings while it compiles: files, by name, for whoever wants to look.
//
//   InsightScope scope([&](const std::string& name, const std::string& text) { ... });    who looks
//   if (IsInsightWanted()) ShowInsight("03_fuse.txt", text);                               who compiles
#pragma once

#include <functional>
#include <string>

namespace culprit::backend {

using Insight = std::function<void(const std::string& name, const std::string& text)>;

/// Compilations of this thread are looked into while it lives. An inner scope hides the outer one.
class InsightScope {
 public:
  explicit InsightScope(Insight insight);
  ~InsightScope();
  InsightScope(const InsightScope&) = delete;
  InsightScope& operator=(const InsightScope&) = delete;

 private:
  Insight insight_;
  const Insight* outer_;
};

bool IsInsightWanted();
/// Nothing happens if nobody looks.
void ShowInsight(const std::string& name, const std::string& text);

}  // namespace culprit::backend
