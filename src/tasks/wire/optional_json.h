// SPDX-License-Identifier: Apache-2.0
//
// Types of others on the wire: what nlohmann's library does not know by itself.
#pragma once

#include <c10/core/Device.h>
#include <c10/util/complex.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace nlohmann {

template <typename T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& object, const std::optional<T>& value) {
    object = value ? json(*value) : json(nullptr);
  }
  static void from_json(const json& object, std::optional<T>& value) {
    value = object.is_null() ? std::nullopt : std::optional<T>(object.get<T>());
  }
};

template <>
struct adl_serializer<c10::Device> {
  static void to_json(json& object, const c10::Device& device) { object = device.str(); }
  static c10::Device from_json(const json& object) { return c10::Device(object.get<std::string>()); }
};

template <>
struct adl_serializer<c10::complex<double>> {
  static void to_json(json& object, const c10::complex<double>& number) {
    object = {number.real(), number.imag()};
  }
  static void from_json(const json& object, c10::complex<double>& number) {
    number = {object.at(0).get<double>(), object.at(1).get<double>()};
  }
};

}  // namespace nlohmann
