// SPDX-License-Identifier: Apache-2.0
#include "backends/plugin/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "graph/tensors/torch_error.h"
#include "graph/text/script/script.h"

namespace culprit::backends::plugin {

Host::Host(std::string plugin_name, const backend::Description& description,
           const backend::Configuration& configuration)
    : plugin_name_(std::move(plugin_name)),
      description_(description),
      configuration_(configuration),
      abi_{.struct_size = sizeof(CulpritHost),
           .internal = this,
           .fail = Fail,
           .option = Option,
           .switch_is_on = SwitchIsOn,
           .text = Text,
           .allocate = Allocate,
           .share = Share,
           .set = Set} {}

void Host::BeginCompile(const graph::Graph& graph) {
  graph_ = &graph;
  switches_.emplace(configuration_.off());
}

backend::Values Host::EndCall(int32_t status) {
  Outputs outputs = *std::move(outputs_);
  outputs_.reset();
  Check(status);
  backend::Values values;
  if (!Guarded([&] { values = std::move(outputs).Take(); })) Check(CULPRIT_FAILED);
  return values;
}

std::optional<std::string> Host::TakeFailure(int32_t status) {
  std::optional<std::string> failure = std::exchange(failure_, std::nullopt);
  if (failure || status == 0) return failure;
  return fmt::format("failed with status {} and no message", status);
}

void Host::Check(int32_t status) {
  if (const auto failure = TakeFailure(status))
    throw std::runtime_error(fmt::format("plug-in '{}': {}", plugin_name_, *failure));
}

void Host::Keep(std::string message) {
  if (!failure_) failure_ = std::move(message);
}

template <typename Function>
bool Host::Guarded(Function&& function) {
  try {
    function();
    return true;
  } catch (const std::exception& error) {
    Keep(graph::TorchMessage(error));
    return false;
  }
}

Outputs& Host::outputs() {
  if (!outputs_) throw std::runtime_error("outputs are made in 'call' only");
  return *outputs_;
}

int32_t Host::Fail(const CulpritHost* host, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string message(static_cast<size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(message.data(), message.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  Of(host).Keep(std::move(message));
  return CULPRIT_FAILED;
}

const char* Host::Option(const CulpritHost* host, const char* name) {
  const auto& options = Of(host).configuration_.options();
  const auto found = options.find(std::string_view(name));
  return found == options.end() ? nullptr : found->second.c_str();
}

int32_t Host::SwitchIsOn(const CulpritHost* host, const char* name) {
  Host& self = Of(host);
  bool is_on = true;
  self.Guarded([&] {
    if (!self.switches_) throw std::runtime_error("switches are asked for in 'compile' and 'call' only");
    if (std::ranges::count(self.description_.switches, name, &backend::SwitchDescription::name) == 0)
      throw std::runtime_error(fmt::format("it asks for the switch '{}', which it does not describe", name));
    is_on = self.switches_->Apply(name);
  });
  return is_on ? 1 : 0;
}

const char* Host::Text(const CulpritHost* host) {
  Host& self = Of(host);
  self.Guarded([&] {
    if (self.graph_ == nullptr) throw std::runtime_error("the text of the graph is there in 'compile' only");
    if (self.text_) return;
    auto text = graph::text::PrintGraph(*self.graph_);
    if (!text.ok()) throw std::runtime_error(text.error().message);
    self.text_ = *std::move(text);
  });
  return self.graph_ != nullptr && self.text_ ? self.text_->c_str() : nullptr;
}

void* Host::Allocate(const CulpritHost* host, uint32_t output, int32_t dtype, int32_t ndim,
                     const int64_t* sizes, const int64_t* strides) {
  Host& self = Of(host);
  void* data = nullptr;
  self.Guarded([&] { data = self.outputs().Allocate(output, dtype, ndim, sizes, strides); });
  return data;
}

int32_t Host::Share(const CulpritHost* host, uint32_t output, int32_t of, uint32_t index, int32_t ndim,
                    const int64_t* sizes, const int64_t* strides, int64_t offset) {
  Host& self = Of(host);
  const bool done = self.Guarded([&] {
    if (sizes == nullptr) return self.outputs().ShareWhole(output, of, index);
    if (strides == nullptr) throw std::runtime_error("'share' was given sizes without strides");
    self.outputs().Share(output, of, index, CheckedShape(ndim, sizes), CheckedShape(ndim, strides), offset);
  });
  return done ? 0 : CULPRIT_FAILED;
}

int32_t Host::Set(const CulpritHost* host, uint32_t output, const CulpritArgument* value) {
  Host& self = Of(host);
  return self.Guarded([&] { self.outputs().Set(output, *value); }) ? 0 : CULPRIT_FAILED;
}

}  // namespace culprit::backends::plugin
