# A folder is a library is a namespace: src/graph/text is the target culprit_graph_text.
# Its name decides what a file belongs to: x_test.cc to the folder's test program, main.cc to the folder's program,
# everything else to the library.

# culprit_library(NAME DEPENDS library... [TORCH] [ROOMS folder...] [PRECOMPILED target])
#
# ROOMS are folders inside it whose sources belong to the library, too.
function(culprit_library name)
  cmake_parse_arguments(ARG "TORCH" "PRECOMPILED" "DEPENDS;ROOMS" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED culprit_precompiled)
  endif()
  set(patterns *.cc)
  foreach(room ${ARG_ROOMS})
    list(APPEND patterns ${room}/*.cc)
  endforeach()
  list(TRANSFORM patterns PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  add_library(culprit_${name} STATIC ${sources})
  culprit_unity(culprit_${name})
  target_include_directories(culprit_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(culprit_${name} PUBLIC culprit_fmt)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(culprit_${name} PUBLIC culprit_${dependency})
  endforeach()
  if(ARG_TORCH)
    target_link_libraries(culprit_${name} PUBLIC torch_interface)
    target_precompile_headers(culprit_${name} REUSE_FROM ${ARG_PRECOMPILED})
  endif()

  if(tests AND NOT CULPRIT_FUZZ)
    culprit_test(${name}_test SOURCES ${tests} DEPENDS ${name})
  endif()
endfunction()

# culprit_program(TARGET SOURCES file... DEPENDS library... [PRECOMPILED target]): an executable with Culprit's process
# settings.
function(culprit_program target)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED culprit_precompiled)
  endif()
  add_executable(${target} ${ARG_SOURCES} $<TARGET_OBJECTS:culprit_startup>)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(${target} PRIVATE culprit_${dependency})
  endforeach()
  target_link_libraries(${target} PRIVATE culprit_process)
  culprit_unity(${target})
  target_precompile_headers(${target} REUSE_FROM ${ARG_PRECOMPILED})
endfunction()

# culprit_test(TARGET SOURCES file... DEPENDS library...): one CTest entry per program, since each start loads libtorch.
function(culprit_test target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  culprit_program(${target} SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS} PRECOMPILED culprit_test_precompiled)
  target_link_libraries(${target} PRIVATE culprit_test_options culprit_test_main GTest::gmock)
  add_test(NAME ${target} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  # What the native compiler keeps is kept here.
  set_tests_properties(${target} PROPERTIES TIMEOUT 600 ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache")
endfunction()
