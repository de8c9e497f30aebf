# Compiler cache, linker and warnings, the same for every target.
find_program(CCACHE ccache)
if(CCACHE)
  # The precompiled header defeats ccache unless it may ignore time stamps and trust the header's macros.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# -fPIC for programs too, so that all targets can share one precompiled header.
add_compile_options(-fPIC -Wall -Wextra -Wno-missing-field-initializers -Werror -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Makes precompiled headers cacheable, and ends false alarms of GCC 12 in std::variant and std::string.
  add_compile_options(-fpch-preprocess -Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
else()
  # CULPRIT_TRY is a statement expression, which both compilers know.
  add_compile_options(-Wno-gnu-statement-expression)
endif()

# libtorch is built with NDEBUG, and the layout of some of its classes depends on it.
add_compile_definitions(NDEBUG)
if(CULPRIT_VERIFY_PASSES)
  add_compile_definitions(CULPRIT_VERIFY_PASSES)
endif()
