// SPDX-License-Identifier: Apache-2.0
#include "repro/header/header.h"

#include <ATen/CPUGeneratorImpl.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/bounded_json.h"
#include "base/text.h"
#include "graph/text/syntax/literal.h"
#include "repro/header/header_keys.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kMostCalls = 1000;
constexpr int kMostThreads = 1024;

// Of the CPU's generator.
size_t StateSize() {
  static const size_t size = at::detail::createCPUGenerator(0).get_state().nbytes();
  return size;
}
constexpr std::string_view kAccuracies[] = {"off", "on", "strict"};

std::optional<std::string> FromHex(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    if (std::from_chars(text.data() + i, text.data() + i + 2, value, 16).ptr != text.data() + i + 2)
      return std::nullopt;
    bytes += static_cast<char>(value);
  }
  return text.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

Json ToJson(bool value) {
  return value;
}
Json ToJson(int value) {
  return value;
}
Json ToJson(uint64_t value) {
  return value;
}
Json ToJson(double value) {
  return value;
}
Json ToJson(const std::string& value) {
  return value;
}
Json ToJson(at::ScalarType dtype) {
  return graph::text::NameOf(dtype);
}
Json ToJson(const std::optional<int>& value) {
  return value ? Json(*value) : Json();
}

bool FromJson(const Json& json, bool& value) {
  return json.is_boolean() && (value = json.get<bool>(), true);
}
bool FromJson(const Json& json, int& value) {
  const bool fits = json.is_number_integer() && json >= 0 && json <= INT32_MAX;
  return fits && (value = json.get<int>(), true);
}
bool FromJson(const Json& json, uint64_t& value) {
  return json.is_number_unsigned() && (value = json.get<uint64_t>(), true);
}
bool FromJson(const Json& json, double& value) {
  return json.is_number() && json >= 0 && (value = json.get<double>(), true);
}
bool FromJson(const Json& json, std::string& value) {
  return json.is_string() && (value = json.get<std::string>(), true);
}
bool FromJson(const Json& json, at::ScalarType& value) {
  const auto dtype = json.is_string() ? graph::text::DtypeFromName(json.get<std::string>()) : std::nullopt;
  return dtype && c10::isFloatingType(*dtype) && (value = *dtype, true);
}
bool FromJson(const Json& json, std::optional<int>& value) {
  int number = 0;
  return FromJson(json, number) && number > 0 && number <= kMostThreads && (value = number, true);
}

/// The members that differ from their defaults.
template <typename Owner>
Json Changed(std::span<const Key<Owner>> keys, const Owner& owner) {
  static const Owner defaults{};
  Json json = Json::object();
  for (const Key<Owner>& key : keys) {
    std::visit(
        [&](auto member) {
          if (owner.*member != defaults.*member) json[std::string(key.name)] = ToJson(owner.*member);
        },
        key.member);
  }
  return json;
}

class HeaderReader {
 public:
  Result<ParsedHeader> Read(const Json& json) {
    if (!json.is_object()) return Diagnostic{{}, "the header is not a JSON object"};
    for (const auto& [name, value] : json.items()) {
      CULPRIT_TRY(ReadKey(name, value));
    }
    return std::move(parsed_);
  }

 private:
  Status ReadKey(const std::string& name, const Json& json) {
    Header& header = parsed_.header;
    if (name == "format") return ReadFormat(json);
    if (name == "backend") return Assign(name, json, header.backend, "a string");
    if (name == "run") return ReadRun(json);
    if (name == "accuracy") return ReadAccuracy(json);
    if (name == "only_forward") return Assign(name, json, header.only_forward, "true or false");
    if (name == "calls") return ReadCalls(json);
    if (name == "compare") return ReadCompare(json);
    if (name == "expected") return header.expected = json.dump(), Done{};
    if (name == "settings") return ReadSettings(json);
    if (name == "faults") return ReadTexts(name, json, header.faults, "a list of strings");
    if (name == "random") return ReadTexts(name, json, header.random, "a list of names");
    if (name == "written_by") return ReadKeys(name, WrittenByKeys(), json, header.written_by.emplace());
    return Unknown(name);
  }

  Status Unknown(const std::string& name) {
    parsed_.warnings.push_back(
        fmt::format("the header's '{}' is not known and is ignored", base::Shortened(name)));
    return Done{};
  }

  static Diagnostic Wrong(std::string_view name, std::string_view expected) {
    return {{}, fmt::format("the header's '{}' must be {}", name, expected)};
  }

  template <typename T>
  static Status Assign(std::string_view name, const Json& json, T& value, std::string_view expected) {
    if (FromJson(json, value)) return Done{};
    return Wrong(name, expected);
  }

  Status ReadFormat(const Json& json) {
    int format = 0;
    CULPRIT_TRY(Assign("format", json, format, "an integer"));
    if (format > kFormat) {
      parsed_.warnings.push_back(
          fmt::format("the header has format {}, newer than the known format {}", format, kFormat));
    }
    return Done{};
  }

  template <typename Owner>
  Status ReadKeys(std::string_view section, std::span<const Key<Owner>> keys, const Json& json,
                  Owner& owner) {
    if (!json.is_object()) return Wrong(section, "an object");
    for (const auto& [name, value] : json.items()) {
      const std::string& wanted = name;
      const auto found =
          std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.name == wanted; });
      if (found == keys.end()) {
        CULPRIT_TRY(Unknown(fmt::format("{}.{}", section, name)));
        continue;
      }
      const Json& json_value = value;
      const bool fits =
          std::visit([&](auto member) { return FromJson(json_value, owner.*member); }, found->member);
      if (!fits)
        return Diagnostic{
            {},
            fmt::format("the header's '{}.{}' cannot be {}", section, name, base::Printable(value.dump()))};
    }
    return Done{};
  }

  Status ReadRun(Json json) {
    RunSettings& run = parsed_.header.run;
    if (!json.is_object()) return Wrong("run", "an object");
    if (const auto autocast = json.find("autocast"); autocast != json.end()) {
      CULPRIT_TRY(ReadAutocast(*autocast, run.autocast.emplace()));
      json.erase("autocast");
    }
    if (const auto state = json.find("generator_state"); state != json.end()) {
      const auto bytes = state->is_string() ? FromHex(state->get<std::string>()) : std::nullopt;
      if (!bytes || bytes->size() != StateSize())
        return Wrong("run.generator_state", fmt::format("{} hexadecimal digits", 2 * StateSize()));
      run.generator_state = *bytes;
      json.erase("generator_state");
    }
    return ReadKeys("run", RunKeys(), json, run);
  }

  static Status ReadAutocast(const Json& json, Autocast& autocast) {
    const bool is_pair = json.is_object() && json.size() == 1;
    const auto device = is_pair ? graph::text::DeviceFromText(json.begin().key()) : std::nullopt;
    if (!device || !FromJson(json.begin().value(), autocast.dtype))
      return Wrong("run.autocast", "a device and a dtype, as in {\"cpu\": \"torch.bfloat16\"}");
    autocast.device = device->type();
    return Done{};
  }

  Status ReadCalls(const Json& json) {
    int& calls = parsed_.header.calls;
    if (FromJson(json, calls) && calls >= 1 && calls <= kMostCalls) return Done{};
    return Wrong("calls", fmt::format("an integer from 1 to {}", kMostCalls));
  }

  Status ReadAccuracy(const Json& json) {
    for (size_t i = 0; i < std::size(kAccuracies); ++i) {
      if (json == kAccuracies[i]) return parsed_.header.accuracy = static_cast<Accuracy>(i), Done{};
    }
    return Wrong("accuracy", "\"off\", \"on\" or \"strict\"");
  }

  Status ReadCompare(Json json) {
    if (json.is_object() && json.contains("revision")) {
      const Json& name = json["revision"];
      if (name != "A" && name != "B" && name != "C")
        return Wrong("compare.revision", "\"A\", \"B\" or \"C\"");
      parsed_.header.compare.revision = name == "A"   ? compare::Revision::kA
                                        : name == "B" ? compare::Revision::kB
                                                      : compare::Revision::kC;
      json.erase("revision");
    }
    return ReadKeys("compare", CompareKeys(), json, parsed_.header.compare);
  }

  Status ReadSettings(const Json& json) {
    if (!json.is_object()) return Wrong("settings", "an object");
    for (const auto& [name, value] : json.items()) {
      std::string text;
      CULPRIT_TRY(Assign("settings." + base::Printable(name), value, text, "a string"));
      if (CULPRIT_TRY(CheckHeaderSetting(name, text))) {
        parsed_.header.settings[name] = text;
      } else {
        CULPRIT_TRY(Unknown("settings." + name));
      }
    }
    return Done{};
  }

  Status ReadTexts(const std::string& name, const Json& json, std::vector<std::string>& texts,
                   const std::string& wanted) {
    if (!json.is_array()) return Wrong(name, wanted);
    for (const Json& text : json) CULPRIT_TRY(Assign(name, text, texts.emplace_back(), wanted));
    return Done{};
  }

  ParsedHeader parsed_;
};

}  // namespace

std::string HeaderToJson(const Header& header) {
  Json json;
  json["format"] = kFormat;
  json["backend"] = header.backend;
  if (!header.faults.empty()) json["faults"] = header.faults;
  Json run = Changed(RunKeys(), header.run);
  if (const auto& autocast = header.run.autocast)
    run["autocast"] = {{c10::DeviceTypeName(autocast->device, /*lower_case=*/true), ToJson(autocast->dtype)}};
  if (!header.run.generator_state.empty())
    run["generator_state"] = base::ToHex(std::as_bytes(std::span(header.run.generator_state)));
  if (!run.empty()) json["run"] = run;
  if (header.accuracy) json["accuracy"] = kAccuracies[static_cast<size_t>(*header.accuracy)];
  if (header.only_forward) json["only_forward"] = true;
  if (header.calls != 1) json["calls"] = header.calls;
  Json compare = Changed(CompareKeys(), header.compare);
  if (header.compare.revision == compare::Revision::kA) compare["revision"] = "A";
  if (header.compare.revision == compare::Revision::kB) compare["revision"] = "B";
  if (!compare.empty()) json["compare"] = compare;
  if (!header.expected.empty()) json["expected"] = Json::parse(header.expected);
  if (!header.settings.empty()) json["settings"] = header.settings;
  if (!header.random.empty()) json["random"] = header.random;
  if (header.written_by) json["written_by"] = Changed(WrittenByKeys(), *header.written_by);
  return json.dump(2, ' ', /*ensure_ascii=*/true) + "\n";
}

Result<ParsedHeader> HeaderFromJson(std::string_view text) {
  return HeaderReader().Read(CULPRIT_TRY(base::ParseBoundedJson(text, "the header")));
}

}  // namespace culprit::repro
