# The heavy headers of libtorch, precompiled once for the product and once for its tests.
add_library(culprit_precompiled OBJECT ${CMAKE_SOURCE_DIR}/src/process/precompiled/precompiled.cc)
target_link_libraries(culprit_precompiled PUBLIC torch_interface culprit_fmt nlohmann_json::nlohmann_json)
target_precompile_headers(culprit_precompiled PRIVATE ${CMAKE_SOURCE_DIR}/src/process/precompiled/precompiled.h)

# Tests are compiled without optimisation and debug information, which halves the time: what they test has both.
add_library(culprit_test_options INTERFACE)
target_compile_options(culprit_test_options INTERFACE -O0 -g0)

if(NOT CULPRIT_FUZZ)
  add_library(culprit_test_precompiled OBJECT ${CMAKE_SOURCE_DIR}/tests/lib/precompiled/precompiled.cc)
  target_include_directories(culprit_test_precompiled PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(culprit_test_precompiled PUBLIC culprit_test_options torch_interface culprit_fmt nlohmann_json::nlohmann_json GTest::gmock)
  target_precompile_headers(culprit_test_precompiled PRIVATE ${CMAKE_SOURCE_DIR}/tests/lib/precompiled/precompiled.h)

  # The command line parses options and prints texts. Nothing in it is hot, and CLI11 takes long to optimise.
  add_library(culprit_cli_precompiled OBJECT ${CMAKE_SOURCE_DIR}/src/process/precompiled/precompiled.cc)
  target_compile_options(culprit_cli_precompiled PRIVATE -O0)
  target_link_libraries(culprit_cli_precompiled PUBLIC culprit_precompiled CLI11::CLI11)
  target_precompile_headers(culprit_cli_precompiled PRIVATE ${CMAKE_SOURCE_DIR}/src/process/precompiled/precompiled.h <CLI/CLI.hpp>)
endif()
