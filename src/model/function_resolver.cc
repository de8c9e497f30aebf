// SPDX-License-Identifier: Apache-2.0
#include "model/function_resolver.h"

#include <torch/csrc/jit/frontend/sugared_value.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "graph/text/syntax/literal.h"

namespace culprit::model {
namespace {

using torch::jit::GraphFunction;
using torch::jit::NamedValue;
using torch::jit::SourceRange;
using torch::jit::SugaredValue;

constexpr std::string_view kExceptions[] = {
    "Exception", "ValueError",     "RuntimeError",      "TypeError",      "IndexError",
    "KeyError",  "AssertionError", "ZeroDivisionError", "AttributeError", "NotImplementedError"};

/// ValueError, which becomes an exception with a message when it is called.
class ExceptionClass : public SugaredValue {
 public:
  explicit ExceptionClass(std::string name) : name_("builtins." + std::move(name)) {}

  std::string kind() const override { return "exception"; }

  std::shared_ptr<SugaredValue> call(const SourceRange& place, GraphFunction& caller,
                                     at::ArrayRef<NamedValue> args, at::ArrayRef<NamedValue> /*kwargs*/,
                                     size_t /*n_binders*/) override {
    torch::jit::Graph& graph = *caller.graph();
    torch::jit::Value* message =
        args.empty() ? torch::jit::insertConstant(graph, "", place) : args[0].value(graph);
    return std::make_shared<torch::jit::ExceptionMessageValue>(
        message, torch::jit::insertConstant(graph, name_, place));
  }

 private:
  std::string name_;
};

/// torch.ops, whose attributes are the namespaces of operators.
class OperatorNamespaces : public SugaredValue {
 public:
  std::string kind() const override { return "torch.ops"; }

  std::shared_ptr<SugaredValue> attr(const SourceRange& /*place*/, GraphFunction& /*function*/,
                                     const std::string& name) override {
    return std::make_shared<torch::jit::BuiltinModule>(name);
  }
};

class TorchModule : public torch::jit::BuiltinModule {
 public:
  TorchModule() : BuiltinModule("aten") {}

  std::shared_ptr<SugaredValue> attr(const SourceRange& place, GraphFunction& function,
                                     const std::string& name) override {
    if (name == "ops") return std::make_shared<OperatorNamespaces>();
    const std::string full_name = "torch." + name;
    std::optional<int64_t> constant;
    if (const auto dtype = graph::text::DtypeFromName(full_name)) constant = static_cast<int64_t>(*dtype);
    if (const auto format = graph::text::MemoryFormatFromName(full_name))
      constant = static_cast<int64_t>(*format);
    if (!constant) return BuiltinModule::attr(place, function, name);
    return std::make_shared<torch::jit::SimpleValue>(
        torch::jit::insertConstant(*function.graph(), *constant, place));
  }
};

class Resolver : public torch::jit::Resolver {
 public:
  std::shared_ptr<SugaredValue> resolveValue(const std::string& name, GraphFunction& /*function*/,
                                             const SourceRange& /*place*/) override {
    if (name == "torch") return std::make_shared<TorchModule>();
    if (name == "annotate") return torch::jit::SpecialFormValue::create(c10::prim::annotate);
    const bool is_exception =
        std::find(std::begin(kExceptions), std::end(kExceptions), name) != std::end(kExceptions);
    return is_exception ? std::make_shared<ExceptionClass>(name) : nullptr;
  }

  c10::TypePtr resolveType(const std::string& /*name*/, const SourceRange& /*place*/) override {
    return nullptr;
  }
};

}  // namespace

torch::jit::ResolverPtr FunctionResolver() {
  return std::make_shared<Resolver>();
}

}  // namespace culprit::model
