// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "model/inputs/convert_to.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using c10::IValue;

class Binder {
 public:
  Binder(const c10::FunctionSchema& schema, const IValue& self) : schema_(schema), values_(Formal().size()) {
    if (self.isNone()) return;
    values_[0] = self;
    first_ = 1;
  }

  Result<std::vector<IValue>> Bind(const std::vector<Input>& inputs) {
    size_t position = first_;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].keyword.empty()) {
        if (position < i + first_) return Error("a positional argument stands behind one with a name");
        if (position == Formal().size()) return WrongCount(inputs.size());
      }
      const size_t index = inputs[i].keyword.empty() ? position++ : CULPRIT_TRY(IndexOf(inputs[i].keyword));
      CULPRIT_TRY(Set(index, inputs[i].value));
    }
    return WithDefaults(inputs.size());
  }

 private:
  const std::vector<c10::Argument>& Formal() const { return schema_.arguments(); }

  Diagnostic Error(std::string message) const { return {{}, fmt::format("{}: {}", schema_.name(), message)}; }

  Diagnostic WrongCount(size_t given) const {
    std::vector<std::string> formal;
    for (size_t i = first_; i < Formal().size(); ++i)
      formal.push_back(fmt::format("{}: {}", Formal()[i].name(), Formal()[i].type()->repr_str()));
    return Error(fmt::format("it takes {} ({}), and {} given", base::Counted(formal.size(), "argument"),
                             fmt::join(formal, ", "), given == 1 ? "1 is" : fmt::format("{} are", given)));
  }

  Result<size_t> IndexOf(const std::string& name) const {
    std::vector<std::string_view> names;
    for (size_t i = first_; i < Formal().size(); ++i) {
      if (Formal()[i].name() == name) return i;
      names.push_back(Formal()[i].name());
    }
    return Error(
        fmt::format("there is no argument '{}'{}", base::Printable(name), base::DidYouMean(name, names)));
  }

  Status Set(size_t index, const IValue& value) {
    const c10::Argument& formal = Formal()[index];
    if (values_[index]) return Error(fmt::format("argument '{}' is given twice", formal.name()));
    Result<IValue> converted = converter_.ConvertTo(value, formal.type());
    if (!converted.ok())
      return Error(fmt::format("argument '{}' of type {}: {}", formal.name(), formal.type()->repr_str(),
                               converted.error().message));
    values_[index] = *std::move(converted);
    return Done{};
  }

  Result<std::vector<IValue>> WithDefaults(size_t given) const {
    std::vector<IValue> values;
    for (size_t i = 0; i < Formal().size(); ++i) {
      if (!values_[i] && !Formal()[i].default_value()) return WrongCount(given);
      // A copy, since a function may write into its default.
      values.push_back(values_[i] ? *values_[i] : Formal()[i].default_value()->deepcopy());
    }
    return values;
  }

  const c10::FunctionSchema& schema_;
  std::vector<std::optional<IValue>> values_;
  size_t first_ = 0;
  Converter converter_;
};

}  // namespace

Result<std::vector<IValue>> BindInputs(const std::vector<Input>& inputs, const c10::FunctionSchema& schema,
                                       const IValue& self) {
  return Binder(schema, self).Bind(inputs);
}

}  // namespace culprit::model
