# What `cmake --install` copies, in components that can be had alone:
#
#   program   culprit and its documentation
#   plugin    what a plug-in is built with: find_package(culprit) and the target culprit::plugin, or just the folder
#             include/
#   library   what a C++ program compiles models with: find_package(culprit-compile) and the target culprit::compile
include(CMakePackageConfigHelpers)

# culprit_package(NAME COMPONENT component TARGET target [ARCH_INDEPENDENT]): what find_package(NAME) finds.
function(culprit_package name)
  cmake_parse_arguments(ARG "ARCH_INDEPENDENT" "COMPONENT;TARGET" "" ${ARGN})
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  set(version_file ${CMAKE_BINARY_DIR}/${name}ConfigVersion.cmake)
  set(independent)
  if(ARG_ARCH_INDEPENDENT)
    set(independent ARCH_INDEPENDENT)
  endif()
  write_basic_package_version_file(${version_file} COMPATIBILITY SameMajorVersion ${independent})
  install(TARGETS ${ARG_TARGET} EXPORT ${name} COMPONENT ${ARG_COMPONENT})
  install(EXPORT ${name} FILE ${name}Config.cmake NAMESPACE culprit:: DESTINATION ${folder}
          COMPONENT ${ARG_COMPONENT})
  install(FILES ${version_file} DESTINATION ${folder} COMPONENT ${ARG_COMPONENT})
endfunction()

culprit_package(culprit COMPONENT plugin TARGET culprit_plugin_header ARCH_INDEPENDENT)
install(FILES include/culprit/backend.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/culprit COMPONENT plugin)
install(DIRECTORY examples/plugin DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/examples COMPONENT plugin)

if(TARGET culprit_shared)
  culprit_package(culprit-compile COMPONENT library TARGET culprit_shared)
  install(FILES include/culprit/compile.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/culprit COMPONENT library)
  install(DIRECTORY examples/compile DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/examples COMPONENT library)
endif()

install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
