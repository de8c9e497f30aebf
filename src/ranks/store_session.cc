// SPDX-License-Identifier: Apache-2.0
#include "ranks/store_session.h"

#include <algorithm>

namespace culprit::ranks {
namespace {

using c10d::Store;

std::vector<uint8_t> BytesOf(std::string_view text) {
  return {text.begin(), text.end()};
}

std::string TextOf(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

template <typename Answer>
Answer StoreSession::Ask(std::function<Answer(Store&)> question) {
  return courier_.Ask(std::move(question), std::max(deadline_, Clock::now() + std::chrono::seconds(1)));
}

void StoreSession::Set(const std::string& key, std::string_view value) {
  Ask<void>([key, bytes = BytesOf(value)](Store& store) { store.set(key, bytes); });
}

bool StoreSession::HasAll(const std::vector<std::string>& keys) {
  return Ask<bool>([keys](Store& store) { return store.check(keys); });
}

std::string StoreSession::Get(const std::string& key) {
  return Ask<std::string>([key](Store& store) { return TextOf(store.get(key)); });
}

std::string StoreSession::Claim(const std::string& key, std::string_view value) {
  return Ask<std::string>(
      [key, bytes = BytesOf(value)](Store& store) { return TextOf(store.compareSet(key, {}, bytes)); });
}

void StoreSession::Delete(const std::string& key) {
  Ask<void>([key](Store& store) { store.deleteKey(key); });
}

}  // namespace culprit::ranks
