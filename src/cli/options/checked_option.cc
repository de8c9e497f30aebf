// SPDX-License-Identifier: Apache-2.0
#include "cli/options/checked_option.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "base/text.h"
#include "graph/text/syntax/literal.h"

namespace culprit::cli {
namespace {

std::optional<uint64_t> IntegerFrom(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::string UnknownDevice(const std::string& text) {
  constexpr std::string_view kKnown[] = {"cpu", "cuda", "cuda:0", "mps", "xpu", "hip", "meta"};
  if (text.starts_with("cpu:"))
    return fmt::format("there is one CPU: write 'cpu', not '{}'", base::Printable(text));
  // The letters say cpu, the meaning is another.
  if (text == "gpu" || text.starts_with("gpu:"))
    return fmt::format("unknown device '{}', did you mean 'cuda{}'?", base::Printable(text),
                       base::Printable(text.substr(3)));
  return fmt::format("unknown device '{}'{}", base::Printable(text), base::DidYouMean(text, kKnown));
}

}  // namespace

CLI::Option* AddInteger(CLI::App& app, const std::string& name, std::function<void(uint64_t)> set,
                        uint64_t lowest, uint64_t highest, const std::string& description) {
  const auto read = [=, set = std::move(set)](const std::string& text) {
    const std::optional<uint64_t> number = IntegerFrom(text);
    if (!number || *number < lowest || *number > highest) {
      throw CLI::ValidationError(fmt::format("{} must be an integer from {} to {}, not '{}'", name, lowest,
                                             highest, base::Printable(text)));
    }
    set(*number);
  };
  return app.add_option_function<std::string>(name, read, description)->type_name("N");
}

CLI::Option* AddDevice(CLI::App& app, const std::string& name, std::function<void(at::Device)> set,
                       const std::string& description) {
  const auto read = [set = std::move(set)](const std::string& text) {
    const std::optional<at::Device> device = graph::text::DeviceFromText(text);
    if (!device || (device->is_cpu() && text != "cpu")) throw CLI::ValidationError(UnknownDevice(text));
    set(*device);
  };
  return app.add_option_function<std::string>(name, read, description)->type_name("DEVICE");
}

}  // namespace culprit::cli
