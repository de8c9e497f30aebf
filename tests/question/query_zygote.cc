// SPDX-License-Identifier: Apache-2.0
#include "tests/question/query_zygote.h"

#include <gtest/gtest.h>

#include "check/query/query_task.h"
#include "check/query/warm_up.h"

namespace culprit::tests {
namespace {

std::shared_ptr<const isolate::Zygote>& TheZygote() {
  static std::shared_ptr<const isolate::Zygote> zygote;
  return zygote;
}

class StartsTheZygote : public testing::Environment {
 public:
  void SetUp() override {
    static constexpr isolate::Task kTasks[] = {check::kQueryTask};
    check::WarmUp();
    TheZygote() = *isolate::Zygote::Start(kTasks);
  }
  void TearDown() override { TheZygote().reset(); }
};

[[maybe_unused]] testing::Environment* const kStarter =
    testing::AddGlobalTestEnvironment(new StartsTheZygote);

}  // namespace

const std::shared_ptr<const isolate::Zygote>& QueryZygote() {
  return TheZygote();
}

}  // namespace culprit::tests
