// SPDX-License-Identifier: Apache-2.0
//
// The request is the standard input of `culprit worker`, and the answer its standard output: CBOR, as between
// this process and its children, with the version in front.
#include <unistd.h>

#include <cerrno>

#include "isolate/fresh_program.h"
#include "tasks/ask.h"
#include "tasks/wire/request_json.h"
#include "tasks/wire/run_json.h"

namespace culprit::tasks {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AskRequest, file, compiler, match)

namespace {

constexpr const char* kVersion = CULPRIT_VERSION;

base::Diagnostic NoAnswer(const std::string& what) {
  base::Diagnostic error{{"culprit worker"}, what};
  error.cause = base::Cause::kEnvironment;
  return error;
}

base::Result<std::string> ReadToEnd(int descriptor) {
  std::string bytes;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(descriptor, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::SystemError({"culprit worker"}, "the request cannot be read", errno);
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(got));
  }
}

base::Status WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return base::SystemError({"culprit worker"}, "the answer cannot be written", errno);
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return base::Done{};
}

base::Result<AskRequest> ReadAskRequest(int in) {
  const std::string bytes = CULPRIT_TRY(ReadToEnd(in));
  try {
    const nlohmann::json object = FromBytes(bytes);
    const std::string version = object.at("version");
    if (version != kVersion)
      return base::Diagnostic{{"culprit worker"},
                              "the request is one of culprit " + version + ", and this is " + kVersion};
    return object.at("request").get<AskRequest>();
  } catch (const nlohmann::json::exception&) {
    base::Diagnostic error{{"culprit worker"}, "standard input is no request of another culprit"};
    error.help = "to ask about a file, run: culprit query FILE";
    return error;
  }
}

}  // namespace

base::Status AnswerOneRequest(int in, int out) {
  const AskRequest request = CULPRIT_TRY(ReadAskRequest(in));
  const Children children = CULPRIT_TRY(Children::Start());
  return WriteAll(out, AnswerToBytes(Ask(children, request), {}));
}

base::Result<check::QuestionReply> AskFreshProgram(const AskRequest& request) {
  const std::string bytes = ToBytes({{"version", kVersion}, {"request", request}});
  const isolate::FreshProgram program = CULPRIT_TRY(isolate::RunFreshProgram({"culprit", "worker"}, bytes));
  if (program.status != 0) return NoAnswer("gave no answer: " + program.err);
  try {
    return AnswerFromBytes<check::QuestionReply>(program.out, "").answer;
  } catch (const std::exception& error) {
    return NoAnswer(std::string("gave no answer: ") + error.what());
  }
}

}  // namespace culprit::tasks
