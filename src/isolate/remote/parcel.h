// SPDX-License-Identifier: Apache-2.0
//
// What goes over the standard streams of a worker: one line of greeting, then parcels.
//
//   16 bytes         magic, size of the head, size of the body
//   head             JSON, {"kind": "hello", ...} (remote_worker.h lists the kinds)
//   body             bytes: a request, an answer, memory
//   line break       of those that a worker sends: some launchers (srun) carry nothing but whole lines
//
// A launcher, or a shell that it starts, may print before the worker does: what stands in front of the
// greeting is skipped. What a worker sends is bounded here and checked where it is used.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace culprit::isolate {

using ParcelHead = nlohmann::ordered_json;

struct Parcel {
  ParcelHead head;
  std::string body = {};

  /// Empty if it has none.
  std::string kind() const;
};

inline constexpr std::string_view kGreeting = "culprit worker, parcels of version 1\n";

/// All but the body, whose size is in it.
std::string ParcelBeginning(const ParcelHead& head, size_t body_bytes);

/// Sizes as they stand in front of a parcel.
struct ParcelSizes {
  static constexpr size_t kBytes = 16;

  uint32_t head = 0;
  uint64_t body = 0;

  /// An error if this is no beginning of a parcel.
  static base::Result<ParcelSizes> Read(std::string_view bytes);
};

/// Puts parcels together from pieces, as they come from a worker, which may send anything.
class ParcelReader {
 public:
  static constexpr size_t kMostBeforeGreeting = 64 << 10;
  static constexpr size_t kMostHeadBytes = 16 << 20;
  static constexpr size_t kMostBodyBytes = 64 << 20;

  void Append(std::string_view bytes) { bytes_ += bytes; }
  /// Nothing if it is not complete yet.
  base::Result<std::optional<Parcel>> Next();
  /// What was printed where a greeting was due.
  std::string before_greeting() const { return is_greeted_ ? "" : bytes_; }

 private:
  base::Status SkipToGreeting();

  bool is_greeted_ = false;
  std::string bytes_;
};

/// The worker's side: waits until all is there. Nothing at the end of the stream.
std::optional<Parcel> ReadParcelHead(int descriptor, uint64_t& body_bytes);
bool ReadExactly(int descriptor, std::span<std::byte> target);
bool WriteExactly(int descriptor, std::string_view bytes);

}  // namespace culprit::isolate
