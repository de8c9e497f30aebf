# Compiler cache, linker and warnings, the same for every target.
find_program(CCACHE ccache)
if(CCACHE)
  # The precompiled header defeats ccache unless it may ignore time stamps and trust the header's macros. The compiler's
  # own list of dependencies spares a run of the preprocessor.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE})
endif()

# The precompiled header stays good when a package brings the same headers with other times.
add_compile_options("SHELL:-Xclang -fno-pch-timestamp")

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# -fPIC for programs too, so that all targets can share one precompiled header. CULPRIT_TRY is a statement expression.
add_compile_options(-fPIC -Wall -Wextra -Wno-missing-field-initializers -Wno-gnu-statement-expression
                    -fno-omit-frame-pointer)

# Checks of memory as calls instead of code in place: a third less time to compile.
set(CULPRIT_ASAN_CALLS "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
if(CULPRIT_FUZZ)
  add_compile_options(${CULPRIT_ASAN_CALLS})
endif()

# libtorch is built with NDEBUG, and the layout of some of its classes depends on it.
add_compile_definitions(NDEBUG)
if(CULPRIT_VERIFY_PASSES)
  add_compile_definitions(CULPRIT_VERIFY_PASSES)
endif()
