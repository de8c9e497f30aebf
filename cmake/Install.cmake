# What `cmake --install` copies, in components that can be had alone:
#
#   program   culprit and its documentation
#   plugin    what a plug-in is built with: the target culprit::plugin, or just the folder include/
#   library   what a C++ program compiles models with: the target culprit::culprit
#
# find_package(culprit) finds the targets of those that are there (culpritConfig.cmake.in).
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/culprit)
set(version_file ${CMAKE_BINARY_DIR}/culpritConfigVersion.cmake)
set(config_file ${CMAKE_BINARY_DIR}/culpritConfig.cmake)
configure_file(cmake/culpritConfig.cmake.in ${config_file} @ONLY)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMajorVersion)

# culprit_component(NAME TARGET target EXAMPLES folder...): what find_package(culprit COMPONENTS NAME) finds.
function(culprit_component name)
  cmake_parse_arguments(ARG "" "TARGET" "EXAMPLES" ${ARGN})
  install(TARGETS ${ARG_TARGET} EXPORT culprit-${name} COMPONENT ${name})
  install(EXPORT culprit-${name} NAMESPACE culprit:: DESTINATION ${package_folder} COMPONENT ${name})
  install(FILES ${config_file} ${version_file} DESTINATION ${package_folder}
          COMPONENT ${name})
  foreach(example ${ARG_EXAMPLES})
    install(DIRECTORY examples/${example} DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/examples COMPONENT ${name}
            USE_SOURCE_PERMISSIONS)
  endforeach()
endfunction()

culprit_component(plugin TARGET culprit_plugin_header EXAMPLES plugin)
install(FILES include/culprit/backend.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/culprit COMPONENT plugin)

if(TARGET culprit_shared)
  culprit_component(library TARGET culprit_shared EXAMPLES compile serving ranks)
  install(DIRECTORY include/culprit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
          PATTERN backend.h EXCLUDE)
endif()

if(SKBUILD)
  install(TARGETS culprit_extension LIBRARY DESTINATION ${SKBUILD_PLATLIB_DIR}/culprit COMPONENT python)
endif()

install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# Compilers in Python, with what notes their crashes: src/backends/server/programs.cc looks for both.
if(TARGET culprit_crash_notes)
  install(DIRECTORY python/culprit DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/python COMPONENT program
          FILES_MATCHING PATTERN "*.py")
  install(TARGETS culprit_crash_notes DESTINATION lib/culprit COMPONENT program)
  install(DIRECTORY examples/server DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/examples COMPONENT program)
endif()
