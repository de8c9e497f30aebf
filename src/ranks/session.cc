// SPDX-License-Identifier: Apache-2.0
#include "ranks/session.h"

#include <algorithm>

namespace culprit::ranks {
namespace {

const std::string kPresent = "present";

std::vector<uint8_t> BytesOf(std::string_view text) {
  return {text.begin(), text.end()};
}

std::string TextOf(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Session::Session(c10::intrusive_ptr<c10d::Store> store, Clock::time_point deadline)
    : store_(std::move(store)), deadline_(deadline) {
  // Needs no answer, so it cannot hang.
  store_->set(kPresent, BytesOf("1"));
}

void Session::WaitForAnswer() {
  using std::chrono::milliseconds;
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  // Waiting for what is there does not wait. But it is the one call that takes a time limit, and that limit
  // holds for all answers of the server that follow.
  store_->wait({kPresent}, std::max<milliseconds>(left, std::chrono::seconds(1)));
}

void Session::Set(const std::string& key, std::string_view value) {
  WaitForAnswer();
  store_->set(key, BytesOf(value));
}

bool Session::HasAll(const std::vector<std::string>& keys) {
  WaitForAnswer();
  return store_->check(keys);
}

std::string Session::Get(const std::string& key) {
  WaitForAnswer();
  return TextOf(store_->get(key));
}

std::string Session::Claim(const std::string& key, std::string_view value) {
  WaitForAnswer();
  return TextOf(store_->compareSet(key, {}, BytesOf(value)));
}

void Session::Delete(const std::string& key) {
  WaitForAnswer();
  store_->deleteKey(key);
}

}  // namespace culprit::ranks
