// SPDX-License-Identifier: Apache-2.0
#include "watch/notice/notice.h"

#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <functional>
#include <stdexcept>
#include <typeinfo>

#include "backend/foreign_error.h"

namespace culprit::watch {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const Notice kReport{"net_0_forward", "call 1: exception", "runs/net/repro.py"};

struct Caught {
  std::string type;
  std::string text;
};

Caught Catch(const std::function<void()>& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return {typeid(error).name(), error.what()};
  } catch (...) {
    return {"no std::exception", ""};
  }
  return {};
}

template <typename Exception>
Caught ThrownInACall(const Exception& exception) {
  return Catch([&] {
    ProgramCall call;
    try {
      try {
        throw exception;
      } catch (...) {
        RethrowWith(kReport);
      }
    } catch (...) {
      call.Rethrow();
    }
  });
}

template <typename Exception>
void ExpectSameTypeAndLines(const Exception& exception) {
  const Caught caught = ThrownInACall(exception);
  EXPECT_EQ(caught.type, typeid(Exception).name());
  EXPECT_THAT(caught.text, StartsWith("no room"));
  EXPECT_THAT(caught.text, EndsWith(kReport.Lines()));
}

TEST(ReportTest, LinesNameGraphReproAndCommand) {
  EXPECT_EQ(kReport.Lines(),
            "culprit: graph net_0_forward\n"
            "culprit: repro runs/net/repro.py\n"
            "culprit: to make it small, run: culprit minify runs/net/repro.py\n");
  EXPECT_EQ((Notice{"net", "", ""}.Lines()),
            "culprit: graph net\n"
            "culprit: no repro could be written\n");
}

c10::Backtrace Backtrace() {
  return std::make_shared<c10::PrecomputedLazyValue<std::string>>("a backtrace\n");
}

TEST(ReportTest, ExceptionsKeepTheirTypeAndBeginWithTheirText) {
  ExpectSameTypeAndLines(std::runtime_error("no room"));
  ExpectSameTypeAndLines(std::out_of_range("no room"));
  ExpectSameTypeAndLines(std::invalid_argument("no room"));
  ExpectSameTypeAndLines(torch::jit::JITException("no room"));
  ExpectSameTypeAndLines(c10::Error("no room", nullptr, nullptr));
  ExpectSameTypeAndLines(c10::IndexError("no room", Backtrace(), nullptr));
  ExpectSameTypeAndLines(c10::NotImplementedError("no room", nullptr, nullptr));
}

TEST(ReportTest, TheMessageOfLibtorchsErrorsIsTheirOwn) {
  try {
    try {
      throw c10::IndexError("no room", Backtrace(), nullptr);
    } catch (...) {
      RethrowWithText("more\n");
    }
  } catch (const c10::IndexError& error) {
    EXPECT_STREQ(error.what_without_backtrace(), "no room");
    EXPECT_THAT(error.what(), HasSubstr("a backtrace\nmore\n"));
  }
}

class OfAUser : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

TEST(ReportTest, TypesThatCannotBeMadeAnewComeOutAsTheyAre) {
  const Caught caught = ThrownInACall(OfAUser("no room"));
  EXPECT_EQ(caught.type, typeid(OfAUser).name());
  EXPECT_EQ(caught.text, "no room");
  EXPECT_EQ(ThrownInACall(42).type, "no std::exception");
}

/// Of a language that has notes.
class Noted : public backend::ForeignError {
 public:
  explicit Noted(std::string& notes) : ForeignError("ValueError", "no room"), notes_(notes) {}
  bool AddNote(const std::string& text) const override {
    notes_ += text;
    return true;
  }

 private:
  std::string& notes_;
};

TEST(ReportTest, ExceptionsOfAnotherLanguageGetNotes) {
  std::string notes;
  const Caught caught = ThrownInACall(Noted(notes));
  EXPECT_EQ(caught.type, typeid(Noted).name());
  EXPECT_EQ(caught.text, "no room");
  EXPECT_EQ(notes, kReport.Lines());
}

TEST(ReportTest, InsideACallTheExceptionPassesUnchanged) {
  const Caught caught = Catch([] {
    const ProgramCall call;
    try {
      throw std::runtime_error("no room");
    } catch (...) {
      RethrowWith(kReport);
    }
  });
  EXPECT_EQ(caught.text, "no room");
}

TEST(ReportTest, OutsideOfCallsTheLinesAreAddedAtOnce) {
  const Caught caught = Catch([] {
    try {
      throw std::runtime_error("no room");
    } catch (...) {
      RethrowWith(kReport);
    }
  });
  EXPECT_EQ(caught.text, "no room\n" + kReport.Lines());
}

TEST(ReportTest, AnExceptionWithoutReportPassesUnchanged) {
  const Caught caught = Catch([] {
    ProgramCall call;
    try {
      throw std::runtime_error("no room");
    } catch (...) {
      call.Rethrow();
    }
  });
  EXPECT_EQ(caught.text, "no room");
}

TEST(ReportTest, AReportDoesNotOutliveItsCall) {
  ThrownInACall(std::runtime_error("no room"));
  EXPECT_FALSE(IsReportWaiting());
  Catch([] {
    const ProgramCall call;
    try {
      throw 1;
    } catch (...) {
      RethrowWith(kReport);
    }
  });
  EXPECT_FALSE(IsReportWaiting());
}

}  // namespace
}  // namespace culprit::watch
