// SPDX-License-Identifier: Apache-2.0
#include "isolate/query/outcome.h"

#include <fmt/format.h>
#include <string.h>

#include "base/text.h"

namespace culprit::isolate {

std::string SignalName(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

namespace {

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

struct Describe {
  std::string operator()(const Returned& result) const {
    return fmt::format("result of {}", base::Counted(result.message.bytes.size(), "byte"));
  }
  std::string operator()(const Exception& exception) const {
    return fmt::format("{}: {}", exception.type, exception.message);
  }
  std::string operator()(const NonstandardThrow& thrown) const {
    return fmt::format("threw something of type {}", thrown.type);
  }
  std::string operator()(const Signal& signal) const {
    std::string text = SignalName(signal.number);
    if (signal.address_class != AddressClass::kNone)
      text += fmt::format(", {}", NameOf(signal.address_class));
    if (!signal.last_words.empty()) text += fmt::format(", {}", signal.last_words);
    if (!signal.frames.empty()) text += fmt::format(", in {}", signal.frames.front().ToString());
    return text;
  }
  std::string operator()(const Timeout& timeout) const {
    return fmt::format("took more than {:.3g} s of {} time", Seconds(timeout.limit),
                       timeout.clock == Clock::kWall ? "wall" : "CPU");
  }
  std::string operator()(const MemoryLimit& memory) const {
    return fmt::format("used {} of memory, more than {}", base::HumanBytes(memory.used),
                       base::HumanBytes(memory.limit));
  }
  std::string operator()(const Exit& exit) const { return fmt::format("exited with {}", exit.code); }
  std::string operator()(const Garbage& garbage) const { return garbage.what; }
};

}  // namespace

std::string StackFrame::ToString() const {
  if (!symbol.empty()) return symbol;
  if (module.empty()) return fmt::format("{:#x}", address);
  return fmt::format("{}+{:#x}", module.substr(module.rfind('/') + 1), address);
}

std::string_view NameOf(AddressClass address_class) {
  switch (address_class) {
    case AddressClass::kNone:
      return "no address";
    case AddressClass::kNullPage:
      return "null page";
    case AddressClass::kStackOverflow:
      return "stack overflow";
    case AddressClass::kUnmapped:
      return "unmapped address";
    case AddressClass::kProtected:
      return "protected address";
    case AddressClass::kNonCanonical:
      return "impossible address";
    case AddressClass::kInstruction:
      return "instruction";
  }
  return "";
}

std::string Outcome::ToString() const {
  const std::string text = std::visit(Describe(), ending);
  return phase.empty() ? text : fmt::format("in {}: {}", phase, text);
}

}  // namespace culprit::isolate
