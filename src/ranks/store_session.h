// SPDX-License-Identifier: Apache-2.0
//
// One use of the store where ranks meet. No call takes longer than to the deadline, or a second if that is
// over, whatever has become of the store. All throw what a courier throws.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/courier.h"

namespace culprit::ranks {

class StoreSession {
 public:
  using Clock = Courier::Clock;

  StoreSession(Courier& courier, Clock::time_point deadline) : courier_(courier), deadline_(deadline) {}

  void Set(const std::string& key, std::string_view value);
  bool HasAll(const std::vector<std::string>& keys);
  bool Has(const std::string& key) { return HasAll({key}); }
  /// Of a key that is there.
  std::string Get(const std::string& key);
  /// The value that the key has from now on: this one if it had none, which is no empty one.
  std::string Claim(const std::string& key, std::string_view value);
  void Delete(const std::string& key);

 private:
  template <typename Answer>
  Answer Ask(std::function<Answer(c10d::Store&)> question);

  Courier& courier_;
  Clock::time_point deadline_;
};

}  // namespace culprit::ranks
