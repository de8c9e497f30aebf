// SPDX-License-Identifier: Apache-2.0
//
// How constants are written in Python, and read back without losing a bit.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <optional>
#include <string>
#include <string_view>

namespace culprit::graph::text {

/// "torch.float32"; aliases such as torch.float and torch.long are read too.
std::string_view NameOf(at::ScalarType dtype);
std::string_view NameOf(at::Layout layout);
std::string_view NameOf(at::MemoryFormat format);
std::optional<at::ScalarType> DtypeFromName(std::string_view name);
/// The message for a dtype that DtypeFromName does not know.
std::string UnknownDtype(std::string_view name);
std::optional<at::Layout> LayoutFromName(std::string_view name);
std::optional<at::MemoryFormat> MemoryFormatFromName(std::string_view name);

/// "cpu", "cuda:0"; nothing if libtorch knows no such device.
std::optional<at::Device> DeviceFromText(std::string_view text);

/// Decimal, hexadecimal, octal or binary, with underscores; nothing if it does not fit 64 bits. With
/// `negative` the number is negated, so that -9223372036854775808 can be read.
std::optional<int64_t> IntFromText(std::string_view text, bool negative = false);
/// Nothing if the text is not a number; a number that is too large is infinite, as in Python.
std::optional<double> FloatFromText(std::string_view text);

/// The shortest text that reads back to the same number: "0.1", "1e-05", "float('inf')", "-float('inf')".
std::string FloatToText(double value);
std::string ComplexToText(c10::complex<double> value);
/// None, True, 3, 0.1, 'text', torch.device('cpu').
std::string ConstantToText(const c10::IValue& constant);

}  // namespace culprit::graph::text
