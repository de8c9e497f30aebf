# Finds what packages.txt names. Whatever is missing or of another version gives one line that says what to install.
function(culprit_missing what package)
  # CMake breaks lines that do not begin with a blank.
  message(FATAL_ERROR " ${what}; to install it, run: apt-get install ${package}   (or: tools/setup)")
endfunction()

macro(culprit_find package debian_package)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    culprit_missing("${package} is missing" ${debian_package})
  endif()
endmacro()

# libtorch: the graph's operators and their schemas are those of this version. (Debian's 1.13.1 calls itself 1.13.0.)
set(CULPRIT_TORCH_VERSION 1.13)
find_path(TORCH_INCLUDE torch/csrc/api/include/torch/version.h)
if(NOT TORCH_INCLUDE)
  culprit_missing("libtorch ${CULPRIT_TORCH_VERSION} is missing" libtorch-dev)
endif()
file(STRINGS ${TORCH_INCLUDE}/torch/csrc/api/include/torch/version.h torch_version_lines
     REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9;]" "" torch_version "${torch_version_lines}")
string(REPLACE ";" "." torch_version "${torch_version}")
if(NOT torch_version VERSION_EQUAL CULPRIT_TORCH_VERSION)
  culprit_missing("libtorch ${torch_version} found, but Culprit needs ${CULPRIT_TORCH_VERSION}" libtorch-dev)
endif()

add_library(torch_interface INTERFACE)
target_include_directories(torch_interface SYSTEM INTERFACE ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
target_link_options(torch_interface INTERFACE -Wl,--no-as-needed)
target_link_libraries(torch_interface INTERFACE torch torch_cpu c10)

# LLVM by its shared library: one library in the process, and no minutes of linking.
set(CULPRIT_LLVM_VERSION 19.1)
find_package(LLVM ${CULPRIT_LLVM_VERSION} QUIET CONFIG PATHS /usr/lib/llvm-19)
if(NOT LLVM_FOUND)
  culprit_missing("LLVM ${CULPRIT_LLVM_VERSION} is missing" llvm-19-dev)
endif()
add_library(llvm_interface INTERFACE)
target_include_directories(llvm_interface SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(llvm_interface INTERFACE LLVM)

culprit_find(fmt libfmt-dev)
culprit_find(nlohmann_json nlohmann-json3-dev)
culprit_find(CLI11 libcli11-dev)
culprit_find(GTest libgtest-dev)
if(NOT TARGET GTest::gmock)
  culprit_missing("gMock is missing" libgmock-dev)
endif()
culprit_find(benchmark libbenchmark-dev)
culprit_find(ZLIB zlib1g-dev)
find_library(XXHASH xxhash)
if(NOT XXHASH)
  culprit_missing("xxHash is missing" libxxhash-dev)
endif()

# libtorch's OpenMP runtime by the name under which libtorch loads it, so that there is never a second one.
find_library(GOMP libgomp.so.1)
if(NOT GOMP)
  culprit_missing("libgomp is missing" libgomp1)
endif()

# Debian's interpreter, not whatever comes first in PATH: it is the one that python3-torch belongs to.
set(CULPRIT_PYTHON /usr/bin/python3 CACHE FILEPATH "Python with PyTorch, for tests")
