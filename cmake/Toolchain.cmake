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

add_compile_options(-Wall -Wextra -Werror -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Makes precompiled headers cacheable, and ends a false alarm of GCC 12 in std::variant.
  add_compile_options(-fpch-preprocess -Wno-maybe-uninitialized)
else()
  # CULPRIT_TRY is a statement expression, which both compilers know.
  add_compile_options(-Wno-gnu-statement-expression)
endif()

# libtorch is built with NDEBUG, and the layout of some of its classes depends on it.
add_compile_definitions(NDEBUG)
