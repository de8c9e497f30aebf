// SPDX-License-Identifier: Apache-2.0
//
// Values as a function of TorchScript wants them. An interpreter trusts the types of its arguments: a
// List[Any] in the place of a List[int], or an int in the place of a float, ends in memory that is read as
// something else.
//
//   forward(x: Tensor, sizes: List[float], name: str = 'a')  with  (x, [1, 2])   =>   (x, [1.0, 2.0], 'a')
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "model/inputs/input_text.h"

namespace culprit::model {

/// Converts values of one call: what is one list before is one list afterwards.
class Converter {
 public:
  /// Integers become floats and complex numbers, strings devices; lists, dicts and tuples are converted
  /// element by element. What is right already is returned as it is. The error says what was found where in
  /// the value.
  base::Result<c10::IValue> ConvertTo(const c10::IValue& value, const c10::TypePtr& expected);

 private:
  base::Result<c10::IValue> Convert(const c10::IValue& value, const c10::TypePtr& expected);
  base::Result<c10::IValue> ConvertNumber(const c10::IValue& value, const c10::TypePtr& expected);
  base::Result<c10::IValue> ConvertList(const c10::IValue& value, const c10::ListType& expected);
  base::Result<c10::IValue> ConvertDict(const c10::IValue& value, const c10::DictType& expected);
  base::Result<c10::IValue> ConvertTuple(const c10::IValue& value, const c10::TupleTypePtr& expected);
  base::Result<c10::IValue> ConvertUnion(const c10::IValue& value, const c10::UnionType& expected);

  struct Converted {
    c10::IValue before;
    c10::TypePtr type;
    c10::IValue after;
  };
  /// Containers that became new ones.
  std::vector<Converted> converted_;
};

base::Result<c10::IValue> ConvertTo(const c10::IValue& value, const c10::TypePtr& expected);

/// The arguments of a call in the order of the schema, with its defaults. `self` is the first one for a
/// method, and None for a function.
base::Result<std::vector<c10::IValue>> BindInputs(const std::vector<Input>& inputs,
                                                  const c10::FunctionSchema& schema,
                                                  const c10::IValue& self = {});

/// "int", "List[Any]", "Tensor".
std::string TypeName(const c10::IValue& value);

}  // namespace culprit::model
