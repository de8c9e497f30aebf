# What find_package(culprit [COMPONENTS plugin library]) reads. A component is there if it was installed:
#
#   plugin    the target culprit::plugin, the header that compilers of one's own are built with
#   library   the target culprit::culprit, the library that compiles models; it brings libtorch, which has to be found
#
# Without COMPONENTS whatever is there is found. culprit_plugin_FOUND and culprit_library_FOUND say what that is.

set(culprit_plugin_FOUND FALSE)
set(culprit_library_FOUND FALSE)
set(culprit_reason_plugin "it is not installed in ${CMAKE_CURRENT_LIST_DIR}")
set(culprit_reason_library "${culprit_reason_plugin}")

if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/culprit-plugin.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/culprit-plugin.cmake)
  set(culprit_plugin_FOUND TRUE)
endif()

# Who asks for other components only need not have libtorch.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/culprit-library.cmake
   AND (NOT culprit_FIND_COMPONENTS OR library IN_LIST culprit_FIND_COMPONENTS))
  find_package(Torch QUIET)
  if(Torch_FOUND)
    if(NOT TARGET culprit::culprit)
      include(${CMAKE_CURRENT_LIST_DIR}/culprit-library.cmake)
      target_link_libraries(culprit::culprit INTERFACE ${TORCH_LIBRARIES})
    endif()
    set(culprit_library_FOUND TRUE)
  else()
    set(culprit_reason_library "libtorch was not found: install libtorch-dev, or set Torch_DIR to where TorchConfig.cmake is")
    if(NOT culprit_FIND_COMPONENTS AND NOT culprit_FIND_QUIETLY)
      message(STATUS "culprit: there is no target culprit::culprit, since ${culprit_reason_library}")
    endif()
  endif()
endif()

foreach(component ${culprit_FIND_COMPONENTS})
  if(culprit_FIND_REQUIRED_${component} AND NOT culprit_${component}_FOUND)
    if(NOT DEFINED culprit_reason_${component})
      set(culprit_reason_${component} "there is no such component; there are plugin and library")
    endif()
    set(culprit_FOUND FALSE)
    string(APPEND culprit_NOT_FOUND_MESSAGE "component '${component}': ${culprit_reason_${component}}. ")
  endif()
endforeach()
