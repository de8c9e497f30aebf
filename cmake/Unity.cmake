# Sources of one library are compiled in batches (tools/unity_batches.py): a third of the time of a clean build.
option(CULPRIT_UNITY "Compile sources in batches" ON)
set(CULPRIT_BATCH_SIZE 8)
set(CULPRIT_TEST_BATCH_SIZE 16)

# What reads headers and traces of strangers. tests/fuzz/header_fuzz has objects of its own for these, which take the place of the
# libraries' only if they are compiled alone.
set(CULPRIT_FUZZED_HEADERS
    repro/header/header.cc repro/header/header_keys.cc repro/header/header_settings.cc hunt/run/trace.cc hunt/run/plan.cc hunt/run/reply_json.cc
    backend/spec.cc backend/configuration.cc backend/failure/failure_signature.cc backends/trust.cc hunt/run/resumed_run.cc)
list(TRANSFORM CULPRIT_FUZZED_HEADERS PREPEND ${CMAKE_SOURCE_DIR}/src/)

if(CULPRIT_UNITY)
  execute_process(COMMAND ${CULPRIT_PYTHON} tools/unity_batches.py ${CULPRIT_BATCH_SIZE} ${CULPRIT_TEST_BATCH_SIZE} src tests bench
                  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([^ ]+) (.*)$" matched "${line}")
    set(unity_batch_of_${CMAKE_SOURCE_DIR}/${CMAKE_MATCH_2} ${CMAKE_MATCH_1})
  endforeach()
  foreach(path ${CULPRIT_FUZZED_HEADERS})
    unset(unity_batch_of_${path})
  endforeach()
endif()

# culprit_unity(TARGET): compiles the target's sources in batches.
function(culprit_unity target)
  if(NOT CULPRIT_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(path "${source}" ABSOLUTE)
    if(DEFINED unity_batch_of_${path})
      # Batches of src/ are numbered within a library, those of tests/ and bench/ within a folder.
      set(group ${target})
      if(NOT path MATCHES "^${CMAKE_SOURCE_DIR}/src/")
        get_filename_component(folder "${path}" DIRECTORY)
        file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${folder})
        string(MAKE_C_IDENTIFIER ${folder} group)
      endif()
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group}_${unity_batch_of_${path}})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
