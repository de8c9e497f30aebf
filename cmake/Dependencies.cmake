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

# LLVM linked statically, with symbols that nobody outside sees: the program needs nothing of it where it runs, and a libtorch
# that brings an LLVM of its own does no harm.
set(CULPRIT_LLVM_VERSION 19.1)
find_package(LLVM ${CULPRIT_LLVM_VERSION} QUIET CONFIG PATHS /usr/lib/llvm-19)
if(NOT LLVM_FOUND)
  culprit_missing("LLVM ${CULPRIT_LLVM_VERSION} is missing" llvm-19-dev)
endif()
llvm_map_components_to_libnames(llvm_libraries core orcjit passes native)
add_library(llvm_interface INTERFACE)
target_include_directories(llvm_interface SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(llvm_interface INTERFACE ${llvm_libraries})

# fmt of the headers that PyTorch brings.
add_library(culprit_fmt STATIC ${CMAKE_SOURCE_DIR}/src/base/fmt/fmt.cc)
target_include_directories(culprit_fmt SYSTEM PUBLIC ${TORCH_INCLUDE})

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
