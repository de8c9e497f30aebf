// SPDX-License-Identifier: Apache-2.0
//
// The host of a plug-in: what it can ask for while it is configured, compiles a graph, or computes.
//
// Nothing is thrown through the plug-in's frames, which may be C: the first error is kept, and Check() throws
// it when the plug-in has returned, also if the plug-in says that all went well.
#pragma once

#include <optional>
#include <string>

#include "backend/backend.h"
#include "backends/plugin/outputs.h"
#include "culprit/backend.h"

namespace culprit::backends::plugin {

class Host {
 public:
  /// The description and the configuration are copied.
  Host(std::string plugin_name, const backend::Description& description,
       const backend::Configuration& configuration);
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const CulpritHost* abi() const { return &abi_; }

  /// From now on until EndCompile the plug-in may ask for text and switches.
  void BeginCompile(const graph::Graph& graph);
  void EndCompile() { graph_ = nullptr; }
  /// From now on until EndCall the plug-in makes outputs.
  void BeginCall(const backend::Values& inputs, size_t outputs) { outputs_.emplace(inputs, outputs); }
  /// The outputs, if the call returned 0 and made them all; otherwise throws.
  backend::Values EndCall(int32_t status);

  /// What a function of the plug-in returned. Throws "plug-in 'name': message" if it failed.
  void Check(int32_t status);
  /// The same as a value: the message of the failure, if it failed. Forgets it.
  std::optional<std::string> TakeFailure(int32_t status);

 private:
  static Host& Of(const CulpritHost* host) { return *static_cast<Host*>(host->internal); }
  static int32_t Fail(const CulpritHost* host, const char* format, ...);
  static const char* Option(const CulpritHost* host, const char* name);
  static int32_t SwitchIsOn(const CulpritHost* host, const char* name);
  static const char* Text(const CulpritHost* host);
  static void* Allocate(const CulpritHost* host, uint32_t output, int32_t dtype, int32_t ndim,
                        const int64_t* sizes, const int64_t* strides);
  static int32_t Share(const CulpritHost* host, uint32_t output, int32_t of, uint32_t index, int32_t ndim,
                       const int64_t* sizes, const int64_t* strides, int64_t offset);
  static int32_t Set(const CulpritHost* host, uint32_t output, const CulpritArgument* value);

  /// Runs the function and keeps what it throws; whether it threw nothing.
  template <typename Function>
  bool Guarded(Function&& function);
  void Keep(std::string message);
  Outputs& outputs();

  std::string plugin_name_;
  backend::Description description_;
  backend::Configuration configuration_;
  CulpritHost abi_;
  const graph::Graph* graph_ = nullptr;
  std::optional<backend::SwitchBoard> switches_;
  std::optional<std::string> text_;
  std::optional<Outputs> outputs_;
  std::optional<std::string> failure_;
};

}  // namespace culprit::backends::plugin
