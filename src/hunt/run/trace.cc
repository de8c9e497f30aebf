// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <utility>

#include "base/bounded_json.h"
#include "base/text.h"
#include "hunt/run/reply_json.h"

namespace culprit::hunt {
namespace {

using nlohmann::ordered_json;

base::Diagnostic Failed(const std::string& path, const char* what) {
  return base::SystemError({path}, what, errno);
}

base::Result<graph::Hash128> HashFromText(const std::string& text) {
  graph::Hash128 hash;
  const char* middle = text.data() + text.size() / 2;
  const bool valid = text.size() == 32 && std::from_chars(text.data(), middle, hash.high, 16).ptr == middle &&
                     std::from_chars(middle, middle + 16, hash.low, 16).ptr == middle + 16;
  if (!valid) return base::Diagnostic{{}, "not a hash: " + text};
  return hash;
}

/// As repro/run_folder.h names them. A trace from a stranger must not lead out of its folder.
base::Result<std::string> FileIn(const std::string& folder, const std::string& file) {
  constexpr std::string_view kLetters = "0123456789_ops";
  const bool is_in = file.starts_with(folder + "/") && file.ends_with(".py");
  const std::string_view stem =
      is_in ? std::string_view(file).substr(folder.size() + 1, file.size() - folder.size() - 4) : "";
  if (!stem.empty() && stem.find_first_not_of(kLetters) == std::string_view::npos) return file;
  return base::Diagnostic{
      {}, fmt::format("'{}' is no file of {}/", base::Printable(file.substr(0, 100)), folder)};
}

/// A later find with the same failure is a smaller one.
base::Status AddFind(const ordered_json& object, std::vector<Find>& finds) {
  Find find{base::Printable(object.at("signature").get<std::string>()), object.at("operators"),
            CULPRIT_TRY(FileIn("finds", object.at("file")))};
  std::erase_if(finds, [&](const Find& other) { return other.signature == find.signature; });
  finds.push_back(std::move(find));
  return base::Done{};
}

base::Status ReadEvent(const ordered_json& object, ReadTrace& trace) {
  const std::string event = object.at("event");
  if (event == "smaller") trace.steps.push_back(CULPRIT_TRY(FileIn("checkpoints", object.at("file"))));
  if (event == "find") return AddFind(object, trace.finds);
  if (event != "answer") return base::Done{};
  const graph::Hash128 hash = CULPRIT_TRY(HashFromText(object.at("hash")));
  trace.answers.emplace(hash, CULPRIT_TRY(ReplyFromJson(object)));
  trace.seconds += object.at("seconds").get<double>();
  return base::Done{};
}

base::Status ReadLine(std::string_view line, ReadTrace& trace) {
  try {
    return ReadEvent(CULPRIT_TRY(base::ParseBoundedJson(line, "not an event of a trace: it")), trace);
  } catch (const nlohmann::json::exception& error) {
    return base::Diagnostic{{}, std::string("not an event of a trace: ") + error.what()};
  }
}

base::Status ReadPlan(std::string_view line, ReadTrace& trace) {
  trace.plan = CULPRIT_TRY(PlanFromJson(line));
  return base::Done{};
}

}  // namespace

base::Result<TraceWriter> TraceWriter::Create(const std::string& path, const Plan& plan) {
  TraceWriter writer(path, ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (writer.descriptor_ < 0) return Failed(path, "cannot be made");
  CULPRIT_TRY(writer.Lock());
  CULPRIT_TRY(writer.WriteLine(PlanToJson(plan)));
  return writer;
}

base::Result<TraceWriter> TraceWriter::Append(const std::string& path, size_t whole_bytes) {
  TraceWriter writer(path, ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (writer.descriptor_ < 0) return Failed(path, "cannot be opened");
  CULPRIT_TRY(writer.Lock());
  if (ftruncate(writer.descriptor_, static_cast<off_t>(whole_bytes)) != 0)
    return Failed(path, "cannot be cut");
  return writer;
}

base::Status TraceWriter::Lock() const {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return base::Done{};
  return base::Diagnostic{{path_}, "another run writes it"};
}

TraceWriter::TraceWriter(TraceWriter&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

TraceWriter::~TraceWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

base::Status TraceWriter::WriteAnswer(const minify::Asked& asked, double seconds) {
  ordered_json object{{"event", "answer"}, {"hash", asked.hash.ToString()}};
  object.update(ReplyToJson(asked.reply));
  object["strategy"] = asked.strategy;
  object["edit"] = asked.edit;
  object["operators"] = asked.program.graph.nodes().size();
  object["seconds"] = seconds;
  return WriteLine(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

base::Status TraceWriter::WriteFind(const Find& find) {
  const ordered_json object{
      {"event", "find"}, {"operators", find.operators}, {"signature", find.signature}, {"file", find.file}};
  return WriteLine(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

base::Status TraceWriter::WriteSmaller(const minify::Smaller& smaller, const std::string& file) {
  const ordered_json object{{"event", "smaller"},
                            {"operators", smaller.program.graph.nodes().size()},
                            {"strategy", smaller.strategy},
                            {"file", file}};
  return WriteLine(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

base::Status TraceWriter::WriteLine(std::string line) {
  if (descriptor_ < 0) return base::Done{};
  line += '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      base::Diagnostic error = Failed(path_, "cannot be written");
      close(std::exchange(descriptor_, -1));
      return error;
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  return base::Done{};
}

base::Result<ReadTrace> OpenTrace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Failed(path, "cannot be opened");
  ReadTrace trace;
  std::string line;
  for (uint32_t number = 1; std::getline(file, line) && !file.eof(); ++number) {
    const base::Status status = number == 1 ? ReadPlan(line, trace) : ReadLine(line, trace);
    if (!status.ok()) return base::Diagnostic{{path, number}, status.error().message};
    trace.whole_bytes += line.size() + 1;
  }
  if (trace.whole_bytes == 0) return base::Diagnostic{{path}, "has no whole line"};
  return trace;
}

}  // namespace culprit::hunt
