// SPDX-License-Identifier: Apache-2.0
//
// A plug-in for tests that looks at everything a plug-in can look at, and does what its option `does` says.
// Built several times, with faults of the handshake that macros choose.
#ifdef WITHOUT_ENTRY
#define culprit_plugin another_function
#endif
#include <culprit/backend.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

std::string seen;
int alive = 0;

std::string_view Does(const CulpritHost* host) {
  return host->option(host, "does");
}

void Describe(const CulpritTensor& tensor) {
  seen += std::to_string(tensor.dtype) + tensor.device + "[";
  for (int32_t d = 0; d < tensor.ndim; ++d)
    seen += std::to_string(tensor.sizes[d]) + "/" + std::to_string(tensor.strides[d]) + " ";
  seen += tensor.data == nullptr ? "]?" : "]";
}

void Describe(const CulpritGraph& graph, const CulpritArgument& argument) {
  switch (argument.kind) {
    case CULPRIT_NONE:
      seen += "none";
      break;
    case CULPRIT_VALUE:
      seen += graph.values[argument.as.value]->name;
      break;
    case CULPRIT_TENSOR:
      Describe(*argument.as.tensor);
      break;
    case CULPRIT_FLOAT:
      seen += "float " + std::to_string(argument.as.number);
      break;
    case CULPRIT_COMPLEX:
      seen += "complex " + std::to_string(argument.as.complex_number[1]);
      break;
    case CULPRIT_STRING:
      seen += "string " + std::string(argument.as.string, argument.length);
      break;
    case CULPRIT_DEVICE:
      seen += "device " + std::string(argument.as.string);
      break;
    case CULPRIT_OPAQUE:
      seen += "opaque";
      break;
    case CULPRIT_LIST:
      seen += "[";
      for (uint32_t i = 0; i < argument.length; ++i) Describe(graph, argument.as.list[i]), seen += ",";
      seen += "]";
      break;
    default:
      seen += "int" + std::to_string(argument.kind) + " " + std::to_string(argument.as.integer);
  }
}

void Describe(const CulpritGraph& graph, const CulpritArgument* inputs) {
  for (uint32_t i = 0; i < graph.placeholder_count; ++i) {
    const CulpritValue& value = *graph.values[graph.placeholders[i]];
    seen += std::string(value.name) + ":" + std::to_string(value.kind) + ":" + std::to_string(value.origin) +
            " = ";
    Describe(graph, inputs[i]);
    if (graph.symbols[i] != nullptr) seen += std::string(" with ") + graph.symbols[i][0];
    seen += "\n";
  }
  for (uint32_t i = 0; i < graph.node_count; ++i) {
    const CulpritNode& node = *graph.nodes[i];
    for (uint32_t r = 0; r < node.result_count; ++r)
      seen += std::string(graph.values[node.results[r]]->name) + " ";
    seen += std::string("= ") + node.op + "." + node.overload + "(";
    for (uint32_t a = 0; a < node.argument_count; ++a) {
      seen += std::string(a == 0 ? "" : ", ") + node.argument_names[a] + " ";
      Describe(graph, node.arguments[a]);
    }
    seen += ")\n";
  }
  seen += "return";
  for (uint32_t i = 0; i < graph.output_count; ++i) seen += " ", Describe(graph, graph.outputs[i]);
  seen += "\n";
}

int32_t Configure(const CulpritHost* host, CulpritWishes* wishes) {
  if (Does(host) == "refuse_option")
    return host->fail(host, "option 'does' is '%s'", host->option(host, "does"));
  if (Does(host) == "freeze") wishes->frozen_parameters = 1, wishes->calls = 3;
  return 0;
}

int32_t Compile(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs,
                void** compiled) {
  if (Does(host) == "refuse") return host->fail(host, "no code for %s", graph->nodes[0]->op);
  if (Does(host) == "fail_silently") return 7;
  if (Does(host) == "throw") throw std::runtime_error("thrown by the plug-in");
  if (Does(host) == "ask_unknown_switch") host->switch_is_on(host, "unknown");
  if (Does(host) == "allocate_early") host->allocate(host, 0, CULPRIT_FLOAT32, 0, nullptr, nullptr);
  seen.clear();
  if (Does(host) == "text") seen = host->text(host);
  if (Does(host) == "walk") Describe(*graph, inputs);
  if (Does(host) == "switches")
    for (int i = 0; i < 4; ++i) seen += host->switch_is_on(host, "first") ? "on " : "off ";
  if (Does(host) == "freeze") Describe(*graph, inputs);
  *compiled = const_cast<CulpritArgument*>(inputs);
  ++alive;
  return 0;
}

int32_t Call(const CulpritHost* host, void* compiled, const CulpritArgument* inputs) {
  const int64_t sizes[] = {2, 3}, strides[] = {1, 2}, negative[] = {-1}, huge[] = {INT64_MAX, INT64_MAX};
  const std::string_view does = Does(host);
  if (does == "fail") return host->fail(host, "division by %d", 0);
  if (does == "forget") return 0;
  if (does == "bad_dtype") return host->allocate(host, 0, 13, 2, sizes, nullptr) ? 0 : CULPRIT_FAILED;
  if (does == "bad_size") host->allocate(host, 0, CULPRIT_FLOAT32, 1, negative, nullptr);
  if (does == "too_large") host->allocate(host, 0, CULPRIT_FLOAT32, 2, huge, nullptr);
  if (does == "bad_output") host->allocate(host, 9, CULPRIT_FLOAT32, 2, sizes, nullptr);
  if (does == "twice") host->set(host, 0, &inputs[0]), host->set(host, 0, &inputs[0]);
  if (does == "share_nothing") host->share(host, 0, CULPRIT_SHARE_OUTPUT, 0, 0, nullptr, nullptr, 0);
  if (does == "share_beyond") host->share(host, 0, CULPRIT_SHARE_INPUT, 0, 2, sizes, strides, 100000);
  if (does == "share") {
    host->share(host, 0, CULPRIT_SHARE_INPUT, 0, 0, nullptr, nullptr, 0);
    const int64_t column[] = {2}, step[] = {3};
    host->share(host, 1, CULPRIT_SHARE_INPUT, 0, 1, column, step, 1);
    host->share(host, 2, CULPRIT_SHARE_OUTPUT, 1, 0, nullptr, nullptr, 0);
  }
  if (does == "numbers") {
    for (uint32_t i = 0; i < 3; ++i) host->set(host, i, &inputs[i]);
    CulpritArgument list = {CULPRIT_LIST, 1, {}};
    list.as.list = &inputs[0];
    host->set(host, 3, &list);
  }
  if (does == "strides") {
    auto* data = static_cast<float*>(host->allocate(host, 0, CULPRIT_FLOAT32, 2, sizes, strides));
    for (int i = 0; i < 6; ++i) data[i] = static_cast<float>(i);
  }
  if (does == "freeze") {  // the frozen parameter, as compile got it
    auto* data = static_cast<float*>(host->allocate(host, 0, CULPRIT_FLOAT32, 0, nullptr, nullptr));
    *data = *static_cast<const float*>(static_cast<CulpritArgument*>(compiled)[1].as.tensor->data);
  }
  return 0;
}

void Destroy(void*) {
  --alive;
}

const CulpritOption kOptions[] = {{"does", "walk", "what it does", nullptr}, {}};
const CulpritSwitch kSwitches[] = {{"first", "does nothing"}, {"second", "does nothing either"}, {}};

}  // namespace

// For the test, which finds them with dlsym.
extern "C" __attribute__((visibility("default"))) const char* WhatPluginSaw() {
  return seen.c_str();
}
extern "C" __attribute__((visibility("default"))) int CountOfCompiled() {
  return alive;
}

const CulpritPlugin* culprit_plugin(uint32_t) {
  static CulpritPlugin plugin;
  plugin.struct_size = sizeof plugin;
  plugin.abi_version = CULPRIT_ABI_VERSION;
  plugin.name = "odd";
  plugin.line = "a plug-in for tests";
  plugin.options = kOptions;
  plugin.switches = kSwitches;
  plugin.configure = Configure;
  plugin.compile = Compile;
  plugin.call = Call;
  plugin.destroy = Destroy;
#ifdef OTHER_VERSION
  plugin.abi_version = CULPRIT_ABI_VERSION + 1;
#endif
#ifdef WITHOUT_CALL
  plugin.call = nullptr;
#endif
#ifdef TOO_SMALL
  plugin.struct_size = sizeof plugin / 2;
#endif
  return &plugin;
}
