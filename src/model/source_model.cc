// SPDX-License-Identifier: Apache-2.0
#include "model/source_model.h"

#include <caffe2/serialize/versions.h>
#include <fmt/format.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <filesystem>

#include "graph/text/syntax/source.h"
#include "model/attribute_texts.h"
#include "model/compile_error.h"
#include "model/function_resolver.h"
#include "model/inputs/convert_to.h"
#include "model/inputs/input_text.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Result;
using c10::IValue;

constexpr std::string_view kPrefix = "__torch__";

/// Makes objects with the attributes that the text gives to their classes.
class ObjectMaker {
 public:
  ObjectMaker(const graph::text::Source& source, const ClassTexts& classes,
              std::shared_ptr<torch::jit::CompilationUnit> unit, const LoadOptions& options)
      : source_(source),
        classes_(classes),
        unit_(std::move(unit)),
        reader_({.name = source.file(),
                 .seed = options.seed,
                 .folder = std::filesystem::path(source.file()).parent_path().string(),
                 .has_marks = false}) {}

  Result<c10::intrusive_ptr<c10::ivalue::Object>> Make(const c10::ClassTypePtr& type) {
    if (++depth_ > kDeepest) return Diagnostic{{source_.file()}, "classes hold each other without end"};
    auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit_, type), type->numAttributes());
    for (size_t i = 0; i < type->numAttributes(); ++i) {
      object->setSlot(i, CULPRIT_TRY(MakeAttribute(*type, type->getAttributeName(i), type->getAttribute(i))));
    }
    --depth_;
    return object;
  }

 private:
  static constexpr int kDeepest = 100;

  Result<IValue> MakeAttribute(const c10::ClassType& owner, const std::string& name,
                               const c10::TypePtr& type) {
    if (const AttributeText* text = classes_.Find(owner.name()->name(), name)) {
      const Input input = CULPRIT_TRY(reader_.Read(source_, text->begin, text->end));
      Result<IValue> converted = ConvertTo(input.value, type);
      if (converted.ok()) return converted;
      return source_.Error(text->begin, fmt::format("attribute '{}': {}", name, converted.error().message));
    }
    if (const auto inner = type->cast<c10::ClassType>()) return IValue(CULPRIT_TRY(Make(inner)));
    if (name == "training") return IValue(false);
    if (type->kind() == c10::TypeKind::OptionalType) return IValue();
    Diagnostic error{{source_.file()},
                     fmt::format("attribute '{}' of class {} has no value", name, owner.name()->name())};
    error.help = fmt::format("write it behind the type: {} : {}  # = VALUE", name, type->annotation_str());
    return error;
  }

  const graph::text::Source& source_;
  const ClassTexts& classes_;
  std::shared_ptr<torch::jit::CompilationUnit> unit_;
  InputReader reader_;
  int depth_ = 0;
};

Result<LoadedModel> LoadClasses(const std::string& path, const std::string& text, const ClassTexts& classes,
                                const LoadOptions& options) {
  if (classes.last_module.empty()) return Diagnostic{{path}, "none of its classes is a Module"};
  auto unit = std::make_shared<torch::jit::CompilationUnit>();
  const auto load = [&](const std::string& qualifier) -> std::shared_ptr<torch::jit::Source> {
    if (qualifier != kPrefix) return nullptr;
    return std::make_shared<torch::jit::Source>(text, path, 1);
  };
  const std::vector<IValue> no_constants;
  torch::jit::SourceImporter importer(unit, &no_constants, load,
                                      caffe2::serialize::kProducedFileFormatVersion);
  const c10::TypePtr type = importer.loadType(c10::QualifiedName(std::string(kPrefix), classes.last_module));
  const graph::text::Source source(path, text);
  auto object = CULPRIT_TRY(ObjectMaker(source, classes, unit, options).Make(type->expect<c10::ClassType>()));
  return LoadedModel(path, torch::jit::Module(object));
}

Result<LoadedModel> LoadFunctions(const std::string& path, const std::string& text) {
  torch::jit::Parser parser(std::make_shared<torch::jit::Source>(text, path, 1));
  std::vector<torch::jit::Def> definitions;
  while (parser.lexer().cur().kind != torch::jit::TK_EOF)
    definitions.emplace_back(parser.parseFunction(/*is_method=*/false));
  if (definitions.empty()) return Diagnostic{{path}, "there is no function in it"};
  const std::vector<torch::jit::ResolverPtr> resolvers(definitions.size(), FunctionResolver());
  auto unit = std::make_shared<torch::jit::CompilationUnit>();
  unit->define(std::nullopt, {}, {}, definitions, resolvers, nullptr);
  return LoadedModel(path, std::move(unit));
}

}  // namespace

Result<LoadedModel> LoadSource(const std::string& path, const std::string& text, const LoadOptions& options) {
  const ClassTexts classes = CULPRIT_TRY(FindClasses(path, text));
  try {
    if (classes.count > 0) return LoadClasses(path, text, classes, options);
    return LoadFunctions(path, text);
  } catch (const std::exception& error) {
    return CompileError(path, error);
  }
}

}  // namespace culprit::model
