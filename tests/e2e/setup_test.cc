// SPDX-License-Identifier: Apache-2.0
//
// tools/setup: whose PyTorch it takes, what it says, and that it leaves environments of users alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/setup_project.h"

namespace culprit::tests {
namespace {

using testing::StartsWith;

constexpr const char* kFilling =
    "setup: filling .venv from requirements.txt; this downloads about 200 MB with the CPU build of PyTorch, "
    "3 GB with the CUDA build that some indexes give\n";
constexpr const char* kPipWasAsked =
    "install --quiet --disable-pip-version-check -r requirements.txt -c constraints.txt\n";

class SetupTest : public testing::Test {
 protected:
  /// With all that tests need.
  std::string Environment(const std::string& name, const FakeTorch& torch = {"2.13.0+cpu"}) const {
    std::string folder = EmptyEnvironment(name);
    for (const char* package : {"numpy", "scikit_build_core", "ruff", "transformers"})
      AddPackage(folder, package, "1.0");
    AddTorch(folder, torch);
    return folder;
  }
  std::string EmptyEnvironment(const std::string& name) const {
    std::string folder = project_ / name;
    MakeEnvironment(folder);
    return folder;
  }
  /// The .venv of the project, which pip has nothing to add to.
  void MakeVenv(const FakeTorch& torch = {"2.13.0+cpu"}) const {
    MakeEnvironment(project_.venv());
    AddPip(project_.venv());
    AddTorch(project_.venv(), torch);
  }
  std::string PipLog() const { return ReadWholeFile(project_.venv() + "/pip.log"); }

  /// An environment that cannot be used: setup says why, leaves it alone and goes on with .venv.
  void ExpectVenvInsteadOf(const std::string& environment, const std::string& why) const {
    MakeVenv();
    const auto before = StateOf(environment);
    const ProgramRun run = project_.Run({{"VIRTUAL_ENV", environment}});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, kFilling);
    EXPECT_EQ(run.err, why);
    EXPECT_EQ(project_.ChosenPython(), project_.venv() + "/bin/python\n");
    EXPECT_EQ(PipLog(), kPipWasAsked);
    EXPECT_EQ(StateOf(environment), before);
  }

  SetupProject project_;
};

TEST_F(SetupTest, AnEnvironmentWithAllThatIsNeededIsTakenInSilenceAndLeftAlone) {
  const std::string environment = Environment("env");
  const auto before = StateOf(environment);
  const ProgramRun run = project_.Run({{"VIRTUAL_ENV", environment}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_EQ(project_.ChosenPython(), environment + "/bin/python\n");
  EXPECT_EQ(StateOf(environment), before);
  EXPECT_FALSE(std::filesystem::exists(project_.venv()));
}

TEST_F(SetupTest, TheNamedEnvironmentComesBeforeTheActiveOnesAndCondaLast) {
  const std::string named = Environment("named");
  const std::string active = Environment("active");
  const std::string conda = Environment("conda");
  project_.Run({{"PYTHON", named + "/bin/python"}, {"VIRTUAL_ENV", active}, {"CONDA_PREFIX", conda}});
  EXPECT_EQ(project_.ChosenPython(), named + "/bin/python\n");
  project_.Run({{"VIRTUAL_ENV", active}, {"CONDA_PREFIX", conda}});
  EXPECT_EQ(project_.ChosenPython(), active + "/bin/python\n");
  project_.Run({{"CONDA_PREFIX", conda}});
  EXPECT_EQ(project_.ChosenPython(), conda + "/bin/python\n");
}

TEST_F(SetupTest, MakeHandsOnThePythonThatIsNamedToIt) {
  const std::string python = Environment("env") + "/bin/python";
  const ProgramRun run = project_.Make("PYTHON=../env/bin/python");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_EQ(project_.ChosenPython(), python + "\n");
}

TEST_F(SetupTest, APythonThatIsNoneIsAnError) {
  const ProgramRun run = project_.Run({{"PYTHON", "/nowhere/python"}});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err,
            "setup: error: PYTHON=/nowhere/python is no program\n"
            "  help: run: make PYTHON=/path/to/environment/bin/python\n");
}

TEST_F(SetupTest, ANewerPyTorchIsTakenWithAWarning) {
  const std::string environment = Environment("env", {"2.14.0"});
  const auto before = StateOf(environment);
  const ProgramRun run = project_.Run({{"VIRTUAL_ENV", environment}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "setup: warning: PyTorch 2.14.0 is newer than 2.13, which Culprit is tested with\n");
  EXPECT_EQ(project_.ChosenPython(), environment + "/bin/python\n");
  EXPECT_EQ(StateOf(environment), before);
}

TEST_F(SetupTest, AnOlderPyTorchIsNotTaken) {
  const std::string environment = Environment("env", {"2.12.1"});
  ExpectVenvInsteadOf(environment, "setup: " + environment +
                                       "/bin/python has PyTorch 2.12.1, and Culprit needs 2.13, so .venv is "
                                       "used\n");
}

TEST_F(SetupTest, VersionsAreComparedAsNumbers) {
  const std::string environment = Environment("env", {"2.9.0"});
  ExpectVenvInsteadOf(environment, "setup: " + environment +
                                       "/bin/python has PyTorch 2.9.0, and Culprit needs 2.13, so .venv is "
                                       "used\n");
}

TEST_F(SetupTest, APyTorchWithoutHeadersIsNotTaken) {
  const std::string environment = Environment("env", {"2.13.0", false});
  ExpectVenvInsteadOf(environment, "setup: the PyTorch of " + environment + "/bin/python has no headers in " +
                                       PackagesOf(environment) + "/torch/include, so .venv is used\n");
}

TEST_F(SetupTest, AnEnvironmentWithoutPyTorchIsNotTaken) {
  const std::string environment = EmptyEnvironment("env");
  ExpectVenvInsteadOf(environment,
                      "setup: " + environment + "/bin/python has no PyTorch, so .venv is used\n");
}

TEST_F(SetupTest, WhatTestsNeedBesidesIsOneLine) {
  const std::string environment = EmptyEnvironment("env");
  AddTorch(environment, {"2.13.0"});
  const ProgramRun run = project_.Run({{"VIRTUAL_ENV", environment}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err,
            "setup: some tests need more; for them run: " + environment +
                "/bin/python -m pip install -c constraints.txt numpy scikit-build-core ruff transformers\n");
}

TEST_F(SetupTest, VenvIsFilledOnceForTheSameRequirements) {
  MakeVenv();
  EXPECT_EQ(project_.Run().out, kFilling);
  const auto before = StateOf(project_.root());
  const ProgramRun again = project_.Run();
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out + again.err, "");
  EXPECT_EQ(StateOf(project_.root()), before);

  WriteWholeFile(project_.root() + "/requirements.txt", "torch\nscipy\n");
  EXPECT_EQ(project_.Run().out, kFilling);
  EXPECT_EQ(PipLog(), std::string(kPipWasAsked) + kPipWasAsked);
}

TEST_F(SetupTest, AnotherPyTorchInVenvIsAnErrorEachTime) {
  MakeVenv({"2.12.1"});
  for (int time = 0; time < 2; ++time) {
    const ProgramRun run = project_.Run();
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, kFilling);
    EXPECT_EQ(run.err,
              "setup: error: torch of .venv is 2.12.1 and not 2.13\n"
              "  help: run: rm -rf .venv && tools/setup\n");
  }
}

TEST_F(SetupTest, AFullDiskIsNoticedBeforeTheDownload) {
  project_.AddProgram("df", "echo Avail; echo 5999");
  const ProgramRun run = project_.Run();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "setup: error: " + project_.root() +
                         " has 5999 MB free, and .venv and a build need up to 6000\n"
                         "  help: free some, or run: make PYTHON=/path/to/environment/bin/python\n");
  EXPECT_FALSE(std::filesystem::exists(project_.venv()));
}

/// Wheels of what requirements.txt names, torch in two versions.
constexpr const char* kMakeWheels = R"(
import sys, zipfile
packages = ("torch", "2.13.0"), ("torch", "2.14.0"), ("numpy", "1.0"), ("ruff", "0.17.5"), ("scikit_build_core", "1.0")
packages += (("transformers", "1.0"),)
for name, version in packages:
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-{version}-py3-none-any.whl", "w") as wheel:
        info = f"{name}-{version}.dist-info"
        wheel.writestr(f"{name}/__init__.py", "")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
)";

// With the real pip, and after an attempt that was interrupted before there was one.
TEST_F(SetupTest, VenvIsMadeWithTheVersionsOfConstraints) {
  const std::string wheels = project_ / "wheels";
  std::filesystem::create_directory(wheels);
  ASSERT_EQ(RunProgram({"/usr/bin/python3.11", "-c", kMakeWheels, wheels}).exit_code, 0);
  MakeEnvironment(project_.venv());
  const ProgramRun run = project_.Run({{"PIP_FIND_LINKS", wheels}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, kFilling);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(project_.ChosenPython(), project_.venv() + "/bin/python\n");
  for (const char* package :
       {"torch-2.13.0", "numpy-1.0", "scikit_build_core-1.0", "ruff-0.17.5", "transformers-1.0"})
    EXPECT_TRUE(std::filesystem::exists(PackagesOf(project_.venv()) + "/" + package + ".dist-info"))
        << package;
}

class SetupOfPackagesTest : public SetupTest {
 protected:
  SetupOfPackagesTest() {
    MakeVenv();
    project_.Run();
    project_.AddProgram("apt-get", "echo \"apt-get $*\" >>" + log_);
  }
  ProgramRun RunWithout(const std::string& packages) const { return project_.Run({{"MISSING", packages}}); }

  const std::string log_ = project_ / "log";
};

constexpr const char* kAptWasAsked =
    "apt-get -qq -o DPkg::Lock::Timeout=120 update\n"
    "apt-get -qq -o DPkg::Lock::Timeout=120 install -y --no-install-recommends mold ninja-build\n";

TEST_F(SetupOfPackagesTest, RootInstallsThoseThatAreMissing) {
  project_.AddProgram("id", "echo 0");
  const ProgramRun run = RunWithout("ninja-build mold");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "setup: installing mold ninja-build\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(ReadWholeFile(log_), kAptWasAsked);
}

TEST_F(SetupOfPackagesTest, OthersInstallThemWithSudo) {
  project_.AddProgram("id", "echo 1000");
  project_.AddProgram("sudo", "echo sudo >>" + log_ + "; exec \"$@\"");
  EXPECT_EQ(RunWithout("mold").exit_code, 0);
  EXPECT_THAT(ReadWholeFile(log_), StartsWith("sudo\napt-get "));
}

TEST_F(SetupOfPackagesTest, WithoutRightsTheyAreToldWithWhatToType) {
  project_.AddProgram("id", "echo 1000");
  const ProgramRun run = RunWithout("mold");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err,
            "setup: error: packages are missing and there is neither root nor sudo\n"
            "  help: as root, run: apt-get install mold\n");
}

TEST_F(SetupOfPackagesTest, WhatAptSaysIsShownIfItFails) {
  project_.AddProgram("id", "echo 0");
  project_.AddProgram("apt-get", "echo 'E: no such thing' >&2; exit 100");
  const ProgramRun run = RunWithout("mold");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "E: no such thing\n");
}

}  // namespace
}  // namespace culprit::tests
