// SPDX-License-Identifier: Apache-2.0
//
// The request: a line of JSON, then the script of repro/pack.h. The answer is the finding as JSON.
//
//   {"backend": "torchscript", "storages": [[attachment, offset, size], ...]}
#include "check/query/query_task.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "backend/spec.h"
#include "backends/table.h"
#include "check/query/announce_phases.h"
#include "check/query/query.h"
#include "check/verdict/finding_json.h"
#include "process/renew_threads.h"
#include "repro/pack.h"

namespace culprit::check {
namespace {

using base::Result;
using isolate::SharedMemory;
using nlohmann::json;

/// As libtorch aligns what it allocates.
constexpr size_t kAlignment = 64;
/// From here on a storage travels alone and is remembered.
constexpr size_t kLarge = 1 << 20;
constexpr size_t kMostLarge = isolate::kMaxAttachments - 1;

/// Where the bytes are among the attachments.
struct Piece {
  size_t attachment = 0;
  size_t offset = 0;
  size_t size = 0;
};

size_t Aligned(size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

std::vector<Piece> ReadPieces(const json& list, const isolate::Message& request) {
  std::vector<Piece> pieces;
  for (const json& entry : list) {
    const Piece piece{entry.at(0), entry.at(1), entry.at(2)};
    CULPRIT_CHECK(piece.attachment < request.attachments.size(), "a storage is in no attachment");
    const size_t size = request.attachments[piece.attachment]->size();
    CULPRIT_CHECK(piece.offset <= size && piece.size <= size - piece.offset, "a storage is outside");
    pieces.push_back(piece);
  }
  return pieces;
}

json FirstLine(const isolate::Message& request) {
  return json::parse(request.bytes.substr(0, request.bytes.find('\n')));
}

Result<repro::Repro> ReadRequest(const isolate::Message& request) {
  const std::vector<Piece> pieces = ReadPieces(FirstLine(request).at("storages"), request);
  const std::string_view script = std::string_view(request.bytes).substr(request.bytes.find('\n') + 1);
  return repro::Unpack(script, pieces.size(), [&](size_t i) {
    const Piece& piece = pieces[i];
    const std::byte* data = request.attachments[piece.attachment]->data();
    return std::span<const std::byte>(data + piece.offset, piece.size);
  });
}

}  // namespace

/// What is wrong with the name, the child will say.
base::Status PrepareForQuery(const isolate::Message& request) {
  const Result<backend::Spec> spec = backend::ParseSpec(FirstLine(request).at("backend").get<std::string>());
  return spec.ok() ? backends::Prepare(*spec) : base::Done();
}

RunQueryRequest InChildrenOf(std::shared_ptr<const isolate::Zygote> zygote) {
  return [zygote = std::move(zygote)](const isolate::Message& request,
                                      const isolate::Limits& limits) -> Result<isolate::Outcome> {
    CULPRIT_TRY(PrepareForQuery(request));
    return zygote->RunFresh(kQueryTask.name, request, limits);
  };
}

isolate::Message RunQueryTask(const isolate::Message& request) {
  process::RenewThreads();
  isolate::AnnouncePhase(kLoadPhase);
  const Result<repro::Repro> repro = ReadRequest(request);
  if (!repro.ok()) return {FindingToJson({.invalid = repro.error().message})};
  const Result<backend::FailureKinds> ignored = IgnoredKinds(repro->header);
  if (!ignored.ok()) return {FindingToJson({.invalid = ignored.error().message})};
  const Result<CheckResult> check = RunQuery(*repro, AnnouncePhases());
  if (!check.ok()) return {FindingToJson({.invalid = check.error().message})};
  return {FindingToJson(SignCheck(*check, *ignored))};
}

Result<std::shared_ptr<SharedMemory>> IsolatedQuery::MemoryWith(const repro::PackedBytes& packed) {
  const std::span<const std::byte> bytes = packed.bytes;
  const std::lock_guard lock(mutex_);
  std::erase_if(sent_, [](const auto& entry) { return entry.second.storage.use_count() == 1; });
  Sent& sent = sent_[bytes.data()];
  if (!sent.memory || sent.memory->size() != bytes.size()) {
    sent = {packed.owner, CULPRIT_TRY(SharedMemory::Make(bytes.size()))};
    std::memcpy(sent.memory->data(), bytes.data(), bytes.size());
  }
  return sent.memory;
}

Result<isolate::Message> IsolatedQuery::RequestOf(const repro::Repro& repro) {
  const repro::PackedRepro packed = CULPRIT_TRY(repro::Pack(repro));
  isolate::Message request;
  std::vector<Piece> pieces(packed.storages.size());
  size_t small_bytes = 0;
  // The small ones go into one attachment, which comes first.
  request.attachments.emplace_back();
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::span<const std::byte> bytes = packed.storages[i].bytes;
    pieces[i].size = bytes.size();
    if (bytes.size() < kLarge || request.attachments.size() > kMostLarge) {
      pieces[i].offset = small_bytes;
      small_bytes += Aligned(bytes.size());
      continue;
    }
    pieces[i].attachment = request.attachments.size();
    request.attachments.push_back(CULPRIT_TRY(MemoryWith(packed.storages[i])));
  }
  request.attachments[0] = CULPRIT_TRY(SharedMemory::Make(std::max<size_t>(small_bytes, 1)));
  json list = json::array();
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    list.push_back({piece.attachment, piece.offset, piece.size});
    if (piece.attachment == 0 && piece.size > 0)
      std::memcpy(request.attachments[0]->data() + piece.offset, packed.storages[i].bytes.data(), piece.size);
  }
  const json line{{"backend", repro.header.backend}, {"storages", list}};
  request.bytes = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n" + packed.text;
  return request;
}

Result<Finding> IsolatedQuery::Ask(const repro::Repro& repro) {
  const Result<isolate::Message> request = RequestOf(repro);
  if (!request.ok()) {
    if (request.error().cause == base::Cause::kEnvironment) return request.error();
    return Finding{.invalid = "it cannot be sent: " + request.error().message};
  }
  const Result<backend::FailureKinds> ignored = IgnoredKinds(repro.header);
  if (!ignored.ok()) return Finding{.invalid = ignored.error().message};
  const isolate::Outcome outcome = CULPRIT_TRY(run_(*request, limits_));
  if (const auto* result = std::get_if<isolate::Returned>(&outcome.ending)) {
    Result<Finding> finding = FindingFromJson(result->message.bytes);
    if (finding.ok()) return finding;
    return SignEnding({.ending = isolate::Garbage{finding.error().message}, .phase = outcome.phase},
                      *ignored);
  }
  return SignEnding(outcome, *ignored);
}

}  // namespace culprit::check
