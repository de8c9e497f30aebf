// SPDX-License-Identifier: Apache-2.0
//
// One use of the store where ranks meet. No call takes longer than to the deadline, or a second if that is
// over, whatever has become of the store. All throw what libtorch throws; then the session is of no more use.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::ranks {

class Session {
 public:
  using Clock = std::chrono::steady_clock;

  Session(c10::intrusive_ptr<c10d::Store> store, Clock::time_point deadline);

  void Set(const std::string& key, std::string_view value);
  bool HasAll(const std::vector<std::string>& keys);
  bool Has(const std::string& key) { return HasAll({key}); }
  /// Of a key that is there.
  std::string Get(const std::string& key);
  /// The value that the key has from now on: this one if it had none, which is no empty one.
  std::string Claim(const std::string& key, std::string_view value);
  void Delete(const std::string& key);

 private:
  void WaitForAnswer();

  c10::intrusive_ptr<c10d::Store> store_;
  Clock::time_point deadline_;
};

}  // namespace culprit::ranks
