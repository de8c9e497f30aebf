// SPDX-License-Identifier: Apache-2.0
//
// The pickle in a file of torch.save(): a program for a small stack machine, of which only the instructions
// and calls are known here that make tensors, numbers, strings, lists, tuples and dicts. Nothing that a file
// names is looked up or called. libtorch has a reader too, but it knows neither dicts of one element, nor
// OrderedDict, nor parameters, and it trusts what it reads.
//
//   torch._utils._rebuild_tensor_v2(storage, offset, sizes, strides, requires_grad, hooks)   a tensor
//   torch._utils._rebuild_parameter(tensor, requires_grad, hooks)                            a tensor
//   collections.OrderedDict(), torch.Size(...)                                               a dict, a tuple
//   torch.jit._pickle.restore_type_tag(value, type) and others, from C++                     the value
//   ('storage', torch.FloatStorage, key, location, count)                                    a storage
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Storage.h>

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace culprit::model {

/// The bytes that the file keeps under a key, of which the pickle says how many they are. The same key gives
/// the same storage.
using LoadStorage = std::function<base::Result<c10::Storage>(const std::string& key, uint64_t claimed_bytes)>;

/// Of classes: refused, or nothing instead of them, for those who only want to see the storages.
enum class Objects { kRefused, kSkipped };

/// Tensors are on the CPU, wherever they were. Lists and dicts hold Any. Values that contain themselves or
/// are nested deeper than any that is meant, and tensors that reach beyond their storage, are errors. `path`
/// is for messages.
base::Result<c10::IValue> ReadPickle(const std::string& path, std::string_view pickle,
                                     const LoadStorage& load, Objects objects = Objects::kRefused);

}  // namespace culprit::model
