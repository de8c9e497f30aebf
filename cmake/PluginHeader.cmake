# The header that plug-ins include; Culprit's own sources find it the same way.
include(GNUInstallDirs)

add_library(culprit_plugin_header INTERFACE)
set_target_properties(culprit_plugin_header PROPERTIES EXPORT_NAME plugin)
target_include_directories(culprit_plugin_header INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
