// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/outcome_json.h"

#include "isolate/query/black_box.h"

namespace culprit::isolate {
namespace {

using std::chrono::nanoseconds;

/// What an ending adds to the head.
struct EndingToJson {
  ParcelHead& head;

  void operator()(const Returned& /*ending*/) const { head["ending"] = "result"; }
  void operator()(const Exception& ending) const {
    head.update({{"ending", "exception"}, {"type", ending.type}, {"message", ending.message}});
  }
  void operator()(const NonstandardThrow& ending) const {
    head.update({{"ending", "throw"}, {"type", ending.type}});
  }
  void operator()(const Signal& ending) const {
    ParcelHead frames = ParcelHead::array();
    for (const auto& [module, address, symbol] : ending.frames) frames.push_back({module, address, symbol});
    head.update({{"ending", "signal"},
                 {"number", ending.number},
                 {"address_class", ending.address_class},
                 {"address", ending.address},
                 {"frames", frames},
                 {"last_words", ending.last_words}});
  }
  void operator()(const Timeout& ending) const {
    head.update({{"ending", "timeout"}, {"clock", ending.clock}, {"limit", ending.limit.count()}});
  }
  void operator()(const MemoryLimit& ending) const {
    head.update({{"ending", "memory"}, {"limit", ending.limit}, {"used", ending.used}});
  }
  void operator()(const Exit& ending) const { head.update({{"ending", "exit"}, {"code", ending.code}}); }
  void operator()(const Garbage& ending) const {
    head.update({{"ending", "garbage"}, {"what", ending.what}});
  }
};

Signal SignalFromJson(const ParcelHead& head) {
  Signal signal{.number = head.at("number"),
                .address_class = head.at("address_class"),
                .address = head.at("address"),
                .last_words = head.at("last_words")};
  if (signal.address_class > AddressClass::kInstruction) signal.address_class = AddressClass::kNone;
  for (const ParcelHead& frame : head.at("frames").get_ref<const ParcelHead::array_t&>()) {
    if (signal.frames.size() == CrashNote::kMaxFrames) break;
    signal.frames.push_back({frame.at(0), frame.at(1), frame.at(2)});
  }
  return signal;
}

/// Throws if it is none.
Ending EndingFromJson(const ParcelHead& head, std::string body) {
  const std::string ending = head.at("ending");
  if (ending == "result") return Returned{{std::move(body)}};
  if (ending == "exception") return Exception{head.at("type"), head.at("message")};
  if (ending == "throw") return NonstandardThrow{head.at("type")};
  if (ending == "signal") return SignalFromJson(head);
  if (ending == "timeout")
    return Timeout{head.at("clock").get<int>() == 0 ? Clock::kWall : Clock::kCpu,
                   nanoseconds(head.at("limit").get<int64_t>())};
  if (ending == "memory") return MemoryLimit{head.at("limit"), head.at("used")};
  if (ending == "exit") return Exit{head.at("code")};
  return Garbage{head.at("what")};
}

}  // namespace

ParcelHead LimitsToJson(const Limits& limits) {
  return {{"wall_time", limits.wall_time.count()},
          {"cpu_time", limits.cpu_time.count()},
          {"memory_bytes", limits.memory_bytes},
          {"output_bytes", limits.output_bytes},
          {"growth_of_time", limits.growth.time},
          {"growth_of_memory", limits.growth.memory},
          {"most_memory_bytes", limits.growth.most_memory_bytes}};
}

Limits LimitsFromJson(const ParcelHead& object) {
  return {.wall_time = nanoseconds(object.at("wall_time").get<int64_t>()),
          .cpu_time = nanoseconds(object.at("cpu_time").get<int64_t>()),
          .memory_bytes = object.at("memory_bytes"),
          .output_bytes = object.at("output_bytes"),
          .growth = {.time = object.at("growth_of_time"),
                     .memory = object.at("growth_of_memory"),
                     .most_memory_bytes = object.at("most_memory_bytes")}};
}

Parcel OutcomeToParcel(const Outcome& outcome) {
  Parcel parcel{{{"kind", "outcome"},
                 {"phase", outcome.phase},
                 {"output", outcome.output},
                 {"output_bytes", outcome.output_bytes},
                 {"wall_time", outcome.wall_time.count()}}};
  std::visit(EndingToJson{parcel.head}, outcome.ending);
  if (const auto* result = std::get_if<Returned>(&outcome.ending)) {
    CULPRIT_CHECK(result->message.attachments.empty(), "an answer with attachments stays on its machine");
    parcel.body = result->message.bytes;
  }
  return parcel;
}

base::Result<Outcome> OutcomeFromParcel(Parcel parcel) {
  try {
    const ParcelHead& head = parcel.head;
    return Outcome{EndingFromJson(head, std::move(parcel.body)), head.at("phase"), head.at("output"),
                   head.at("output_bytes"), nanoseconds(head.at("wall_time").get<int64_t>())};
  } catch (const nlohmann::json::exception& error) {
    return base::Diagnostic{{"worker"}, std::string("sent what is no outcome: ") + error.what()};
  }
}

}  // namespace culprit::isolate
