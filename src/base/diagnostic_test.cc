// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/result.h"

namespace culprit::base {
namespace {

TEST(Diagnostic, ShowsPlaceSourceLineCaretNoteAndHelp) {
  Diagnostic diagnostic{
      {"net.py", 14, 12}, "unknown operator 'aten::reul'", "    x = torch.ops.aten.reul(y)\n"};
  diagnostic.notes = {"first used here"};
  diagnostic.help = "run: culprit graph net.py";
  EXPECT_EQ(diagnostic.Render(),
            "net.py:14:12: error: unknown operator 'aten::reul'\n"
            "    x = torch.ops.aten.reul(y)\n"
            "           ^\n"
            "  note: first used here\n"
            "  help: run: culprit graph net.py");
}

TEST(Diagnostic, WithoutPlaceIsOnlyTheSentence) {
  EXPECT_EQ((Diagnostic{{}, "nothing to do"}.Render("warning")), "warning: nothing to do");
}

TEST(Diagnostic, NothingInItReachesTheTerminalRaw) {
  Diagnostic error{{"a\x1b]0;title\x07.py"}, "unknown switch '\x1b[31m'"};
  error.notes.emplace_back("\x9b");
  error.help = "run: \x1b[A";
  EXPECT_EQ(error.Render(),
            "a\\x1b]0;title\\x07.py: error: unknown switch '\\x1b[31m'\n"
            "  note: \\x9b\n"
            "  help: run: \\x1b[A");
}

TEST(Diagnostic, ASystemErrorKnowsWhetherTheMachineIsToBlame) {
  const Diagnostic full = SystemError({"store/x"}, "cannot be written", ENOSPC);
  EXPECT_EQ(full.Render(), "store/x: error: cannot be written: No space left on device");
  EXPECT_EQ(full.cause, Cause::kEnvironment);
  for (const int number : {EDQUOT, EFBIG, EIO, ENOMEM, EAGAIN, EMFILE, ENFILE})
    EXPECT_EQ(SystemError({}, "", number).cause, Cause::kEnvironment) << number;
  for (const int number : {ENOENT, EACCES, EISDIR, EROFS})
    EXPECT_EQ(SystemError({}, "", number).cause, Cause::kInput) << number;
  EXPECT_EQ((Diagnostic{{}, "bad"}.cause), Cause::kInput);
}

TEST(Diagnostic, CutsLongLinesAroundTheCaret) {
  const Diagnostic diagnostic{{"f", 1, 5001}, "bad", std::string(5000, 'a') + "!" + std::string(5000, 'b')};
  const std::string text = diagnostic.Render();
  EXPECT_LT(text.size(), 400u);
  const size_t line = text.find("    ...");
  const size_t caret = text.find('^') - text.rfind('\n', text.find('^'));
  EXPECT_EQ(text[line + caret - 1], '!');
  const size_t end = text.find('\n', line);
  EXPECT_LE(end - line, 80u) << "a terminal holds it";
}

TEST(Diagnostic, CaretsStayAlignedBehindOtherLetters) {
  EXPECT_EQ((Diagnostic{{"f", 1, 7}, "bad", "  größe!"}.Render()),
            "f:1:7: error: bad\n"
            "    größe!\n"
            "        ^");
  EXPECT_EQ((Diagnostic{{"f", 1, 3}, "bad", "漢字!"}.Render()),
            "f:1:3: error: bad\n"
            "    漢字!\n"
            "        ^");
}

Result<int> Half(int number) {
  if (number % 2 != 0) return Diagnostic{{}, "odd"};
  return number / 2;
}

Result<int> Quarter(int number) {
  const int half = CULPRIT_TRY(Half(number));
  return Half(half);
}

TEST(Result, TryPassesTheErrorOn) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_EQ(Quarter(7).error().message, "odd");
}

TEST(Result, ValueOfAnErrorIsAnInternalError) {
  EXPECT_THROW(Half(3).value(), InternalError);
}

}  // namespace
}  // namespace culprit::base
