# What `cmake --install` copies: the program, and what a plug-in is built with, which is also a component of its own:
#
#   cmake --install build/release --prefix DIR --component plugin
#
# A plug-in then asks for find_package(culprit) and the target culprit::plugin, or just for the folder include/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(culprit_plugin_header INTERFACE)
set_target_properties(culprit_plugin_header PROPERTIES EXPORT_NAME plugin)
target_include_directories(culprit_plugin_header INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/culprit)
set(version_file ${CMAKE_BINARY_DIR}/culpritConfigVersion.cmake)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(TARGETS culprit_plugin_header EXPORT culprit COMPONENT plugin)
install(EXPORT culprit FILE culpritConfig.cmake NAMESPACE culprit:: DESTINATION ${package_folder} COMPONENT plugin)
install(FILES ${version_file} DESTINATION ${package_folder} COMPONENT plugin)
install(DIRECTORY include/culprit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT plugin)
install(DIRECTORY examples/plugin DESTINATION ${CMAKE_INSTALL_DATADIR}/culprit/examples COMPONENT plugin)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
