// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/serve_remotely.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <future>
#include <thread>
#include <unordered_map>

#include "isolate/remote/outcome_json.h"

namespace culprit::isolate {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenSigns(5);

std::string HostName() {
  std::array<char, 256> name = {};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

class Server {
 public:
  Server(int in, int out, const RemoteService& service) : in_(in), out_(out), service_(service) {}

  base::Status Run() {
    if (!WriteExactly(out_, kGreeting)) return base::Done{};
    Send({{"kind", "hello"}, {"host", HostName()}, {"made_of", service_.made_of}});
    uint64_t body_bytes = 0;
    while (const std::optional<Parcel> parcel = ReadParcelHead(in_, body_bytes))
      CULPRIT_TRY(Handle(*parcel, body_bytes));
    return base::Done{};
  }

 private:
  base::Status Handle(const Parcel& parcel, uint64_t body_bytes) {
    try {
      if (parcel.kind() == "setup") return SetUp(parcel.head);
      if (parcel.kind() == "memory") return TakeMemory(parcel.head, body_bytes);
      if (parcel.kind() == "renew") Renew();
      if (parcel.kind() == "query" && zygote_) return Ask(parcel.head, body_bytes);
    } catch (const nlohmann::json::exception& error) {
      return base::Diagnostic{{"culprit worker"}, std::string("received a damaged parcel: ") + error.what()};
    }
    return base::Diagnostic{{"culprit worker"}, "received a parcel that makes no sense here"};
  }

  base::Status SetUp(const ParcelHead& setup) {
    auto zygote = service_.start(setup);
    if (!zygote.ok()) return SendError(zygote.error());
    zygote_ = *std::move(zygote);
    Send({{"kind", "ready"}});
    return base::Done{};
  }

  /// The streams stay, and nothing else.
  [[noreturn]] void Renew() {
    zygote_.reset();
    if (out_ != STDOUT_FILENO) dup2(out_, STDOUT_FILENO);
    if (in_ != STDIN_FILENO) dup2(in_, STDIN_FILENO);
    service_.renew();
    _exit(1);
  }

  base::Status TakeMemory(const ParcelHead& head, uint64_t bytes) {
    auto memory = CULPRIT_TRY(SharedMemory::Make(bytes));
    if (!ReadExactly(in_, {memory->data(), memory->size()})) _exit(0);
    memory_[head.at("hash")] = std::move(memory);
    return base::Done{};
  }

  base::Status Ask(const ParcelHead& head, uint64_t body_bytes) {
    Message request;
    request.bytes.resize(body_bytes);
    if (!ReadExactly(in_, std::as_writable_bytes(std::span(request.bytes)))) _exit(0);
    for (const ParcelHead& hash : head.at("forget")) memory_.erase(hash.get<std::string>());
    for (const ParcelHead& hash : head.at("memory"))
      request.attachments.push_back(memory_.at(hash.get<std::string>()));
    const base::Status prepared = Prepare(request);
    if (!prepared.ok()) return SendError(prepared.error());
    last_phase_.clear();
    const auto look = [this](std::string_view phase) { Look(phase); };
    const std::string task = head.at("task");
    const auto outcome = zygote_->RunFresh(task, request, LimitsFromJson(head.at("limits")), look);
    if (!outcome.ok()) return SendError(outcome.error());
    const Parcel answer = OutcomeToParcel(*outcome);
    Send(answer.head, answer.body);
    return base::Done{};
  }

  /// Starting a compiler may take long.
  base::Status Prepare(const Message& request) {
    std::promise<void> done;
    std::thread signs([this, ends = done.get_future()] {
      while (ends.wait_for(kBetweenSigns) == std::future_status::timeout) Send({{"kind", "alive"}});
    });
    base::Status prepared = service_.prepare(request);
    done.set_value();
    signs.join();
    return prepared;
  }

  /// While a request runs nothing else may come, so that whatever there is to read is the end.
  void Look(std::string_view phase) {
    pollfd event = {in_, POLLIN, 0};
    if (poll(&event, 1, 0) > 0) _exit(0);
    if (phase != last_phase_) {
      last_phase_ = phase;
      Send({{"kind", "phase"}, {"phase", phase}});
    } else if (SteadyClock::now() - last_sign_ > kBetweenSigns) {
      Send({{"kind", "alive"}});
    }
  }

  base::Status SendError(const base::Diagnostic& error) {
    Send({{"kind", "error"}, {"message", error.message}});
    return base::Done{};
  }

  /// Nobody reads: the end.
  void Send(const ParcelHead& head, std::string_view body = {}) {
    last_sign_ = SteadyClock::now();
    std::string bytes = ParcelBeginning(head, body.size());
    bytes += body;
    bytes += '\n';
    if (!WriteExactly(out_, bytes)) _exit(0);
  }

  const int in_;
  const int out_;
  const RemoteService& service_;
  std::shared_ptr<const Zygote> zygote_;
  std::unordered_map<std::string, std::shared_ptr<SharedMemory>> memory_;
  std::string last_phase_;
  SteadyClock::time_point last_sign_;
};

}  // namespace

base::Status ServeRemotely(int in, int out, const RemoteService& service) {
  return Server(in, out, service).Run();
}

}  // namespace culprit::isolate
