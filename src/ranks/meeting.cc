// SPDX-License-Identifier: Apache-2.0
#include "ranks/meeting.h"

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "graph/tensors/torch_error.h"

namespace culprit::ranks {
namespace {

using base::Diagnostic;
using base::Result;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

constexpr char kOwnMachine[] = "127.0.0.1";

StorePtr WithPrefix(StorePtr store) {
  return c10::make_intrusive<c10d::PrefixStore>("culprit", std::move(store));
}

Meeting AlwaysTheSame(int rank, int size, std::string where, StorePtr store) {
  return {.rank = rank,
          .size = size,
          .where = std::move(where),
          .connect = [store = WithPrefix(std::move(store))](auto /*limit*/) { return store; }};
}

c10d::TCPStoreOptions OptionsOf(uint16_t port, bool is_server, std::chrono::milliseconds limit) {
  c10d::TCPStoreOptions options;
  options.port = port;
  options.isServer = is_server;
  options.waitWorkers = false;
  options.timeout = limit;
  return options;
}

}  // namespace

Result<Meeting> KeepMeeting(int size, uint16_t& port, std::chrono::milliseconds limit) {
  // Nobody has to find this one.
  if (size == 1) return AlwaysTheSame(0, 1, "this process", c10::make_intrusive<c10d::HashStore>());
  try {
    auto store = c10::make_intrusive<c10d::TCPStore>(kOwnMachine, OptionsOf(port, true, limit));
    port = store->getPort();
    Meeting meeting = AlwaysTheSame(0, size, fmt::format("{}:{}", kOwnMachine, port), std::move(store));
    meeting.is_kept_by_rank_0 = true;
    return meeting;
  } catch (const std::exception& error) {
    return Diagnostic{
        .place = {},
        .message = fmt::format("rank 0 of {} cannot open port {}, where the ranks would meet", size, port),
        .notes = {"libtorch says: " + graph::TorchMessage(error)},
        .help = "give all ranks the same free port, as in CULPRIT_RANKS_PORT=30777"};
  }
}

Meeting VisitMeeting(int rank, int size, const std::string& host, uint16_t port) {
  return {.rank = rank,
          .size = size,
          .where = fmt::format("{}:{}", host, port),
          .is_kept_by_rank_0 = true,
          .connect = [host, port](std::chrono::milliseconds limit) {
            return WithPrefix(c10::make_intrusive<c10d::TCPStore>(host, OptionsOf(port, false, limit)));
          }};
}

}  // namespace culprit::ranks
