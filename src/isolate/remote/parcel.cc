// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/parcel.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/bounded_json.h"

namespace culprit::isolate {
namespace {

constexpr uint32_t kMagic = 0x01'4c'55'43;

struct RawSizes {
  uint32_t magic = kMagic;
  uint32_t head = 0;
  uint64_t body = 0;
};
static_assert(sizeof(RawSizes) == ParcelSizes::kBytes);

base::Diagnostic NoParcel(std::string what) {
  return {{"worker"}, std::move(what)};
}

base::Result<ParcelHead> ParseHead(std::string_view text) {
  ParcelHead head = CULPRIT_TRY(base::ParseBoundedJson(text, "the head of a parcel"));
  if (!head.is_object()) return NoParcel("the head of a parcel is no object");
  return head;
}

}  // namespace

std::string Parcel::kind() const {
  const auto found = head.find("kind");
  return found != head.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string ParcelBeginning(const ParcelHead& head, size_t body_bytes) {
  const std::string text = head.dump(-1, ' ', false, ParcelHead::error_handler_t::replace);
  const RawSizes sizes{.head = static_cast<uint32_t>(text.size()), .body = body_bytes};
  std::string bytes(sizeof(sizes), '\0');
  std::memcpy(bytes.data(), &sizes, sizeof(sizes));
  return bytes + text;
}

base::Result<ParcelSizes> ParcelSizes::Read(std::string_view bytes) {
  RawSizes sizes;
  std::memcpy(&sizes, bytes.data(), sizeof(sizes));
  if (sizes.magic != kMagic) return NoParcel("sent what is no parcel");
  return ParcelSizes{sizes.head, sizes.body};
}

base::Status ParcelReader::SkipToGreeting() {
  const size_t greeting = bytes_.find(kGreeting);
  if (greeting == std::string::npos && bytes_.size() > kMostBeforeGreeting)
    return NoParcel(fmt::format("sent {} bytes and no greeting", bytes_.size()));
  if (greeting == std::string::npos) return base::Done{};
  bytes_.erase(0, greeting + kGreeting.size());
  is_greeted_ = true;
  return base::Done{};
}

base::Result<std::optional<Parcel>> ParcelReader::Next() {
  if (!is_greeted_) CULPRIT_TRY(SkipToGreeting());
  if (!is_greeted_ || bytes_.size() < ParcelSizes::kBytes) return std::optional<Parcel>();
  const ParcelSizes sizes = CULPRIT_TRY(ParcelSizes::Read(bytes_));
  if (sizes.head > kMostHeadBytes || sizes.body > kMostBodyBytes)
    return NoParcel(fmt::format("sent a parcel of {} and {} bytes", sizes.head, sizes.body));
  const size_t end = ParcelSizes::kBytes + sizes.head + sizes.body;
  if (bytes_.size() <= end) return std::optional<Parcel>();
  if (bytes_[end] != '\n') return NoParcel("sent a parcel that does not end where it should");
  Parcel parcel{CULPRIT_TRY(ParseHead(std::string_view(bytes_).substr(ParcelSizes::kBytes, sizes.head)))};
  parcel.body = bytes_.substr(ParcelSizes::kBytes + sizes.head, sizes.body);
  bytes_.erase(0, end + 1);
  return std::optional<Parcel>(std::move(parcel));
}

bool ReadExactly(int descriptor, std::span<std::byte> target) {
  while (!target.empty()) {
    const ssize_t got = read(descriptor, target.data(), target.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    target = target.subspan(static_cast<size_t>(got));
  }
  return true;
}

bool WriteExactly(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

std::optional<Parcel> ReadParcelHead(int descriptor, uint64_t& body_bytes) {
  std::string bytes(ParcelSizes::kBytes, '\0');
  if (!ReadExactly(descriptor, std::as_writable_bytes(std::span(bytes)))) return std::nullopt;
  const base::Result<ParcelSizes> sizes = ParcelSizes::Read(bytes);
  if (!sizes.ok() || sizes->head > ParcelReader::kMostHeadBytes) return std::nullopt;
  bytes.resize(sizes->head);
  if (!ReadExactly(descriptor, std::as_writable_bytes(std::span(bytes)))) return std::nullopt;
  base::Result<ParcelHead> head = ParseHead(bytes);
  if (!head.ok()) return std::nullopt;
  body_bytes = sizes->body;
  return Parcel{*std::move(head)};
}

}  // namespace culprit::isolate
