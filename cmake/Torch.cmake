# libtorch as pip installs it: the target torch_interface.
#
# It is found by paths. PyTorch's own CMake package aborts in environments with a CUDA build and no toolkit.
set(CULPRIT_TORCH_VERSION 2.13)
set(CULPRIT_PYTHON "" CACHE FILEPATH "The interpreter whose PyTorch Culprit is built with")
# pip says which Python it installs for. A tree that is built with the same PyTorch stays as it is.
function(culprit_torch_of python result)
  # -E: pip hides the packages of the environment by a variable.
  execute_process(COMMAND ${python} -E ${CMAKE_SOURCE_DIR}/tools/find_torch.py OUTPUT_VARIABLE found ERROR_QUIET)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
if(SKBUILD)
  culprit_torch_of("${Python_EXECUTABLE}" torch_of_pip)
  culprit_torch_of("${CULPRIT_PYTHON}" torch_of_tree)
  if(NOT CULPRIT_PYTHON OR NOT torch_of_pip STREQUAL torch_of_tree)
    set(CULPRIT_PYTHON ${Python_EXECUTABLE} CACHE FILEPATH "" FORCE)
  endif()
endif()
if(NOT CULPRIT_PYTHON)
  message(FATAL_ERROR " no Python with PyTorch ${CULPRIT_TORCH_VERSION} is named; run: make   (or: tools/setup && cmake --preset release -DCULPRIT_PYTHON=$(cat build/python))")
endif()

execute_process(COMMAND ${CULPRIT_PYTHON} -E ${CMAKE_SOURCE_DIR}/tools/find_torch.py
                OUTPUT_VARIABLE torch_found RESULT_VARIABLE torch_status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT torch_status EQUAL 0)
  message(FATAL_ERROR " ${CULPRIT_PYTHON} has no PyTorch; to install it, run: tools/setup")
endif()
string(REPLACE "\n" ";" torch_found "${torch_found}")
list(GET torch_found 0 TORCH_VERSION)
list(GET torch_found 1 TORCH_FOLDER)
set(TORCH_INCLUDE ${TORCH_FOLDER}/include)
set(TORCH_LIB ${TORCH_FOLDER}/lib)
foreach(file ${TORCH_INCLUDE}/ATen/core/Tensor.h ${TORCH_LIB}/libtorch_cpu.so ${TORCH_LIB}/libc10.so)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR " the PyTorch of ${CULPRIT_PYTHON} has no ${file}; to install another, run: tools/setup")
  endif()
endforeach()
if(TORCH_VERSION VERSION_LESS CULPRIT_TORCH_VERSION)
  message(FATAL_ERROR " ${CULPRIT_PYTHON} has PyTorch ${TORCH_VERSION}, and Culprit needs ${CULPRIT_TORCH_VERSION}; to install it, run: tools/setup")
endif()

# Headers of a newer PyTorch may warn of what was right in this one.
if(TORCH_VERSION MATCHES "^${CULPRIT_TORCH_VERSION}\\.")
  add_compile_options(-Werror)
endif()

# libtorch's OpenMP runtime by the name under which libtorch loads it, so that there is never a second one. Some wheels
# have it beside libtorch, others in torch.libs with a hash in its name.
execute_process(COMMAND ${CMAKE_READELF} -d ${TORCH_LIB}/libtorch_cpu.so OUTPUT_VARIABLE needed)
string(REGEX MATCH "libgomp[^]]*" gomp_name "${needed}")
find_file(GOMP NAMES ${gomp_name} PATHS ${TORCH_LIB} ${TORCH_FOLDER}/../torch.libs NO_CACHE NO_DEFAULT_PATH)
if(NOT GOMP)
  message(FATAL_ERROR " the OpenMP runtime '${gomp_name}' of ${TORCH_LIB}/libtorch_cpu.so is not beside it; to install PyTorch anew, run: rm -rf .venv && tools/setup")
endif()

# Installed programs find that PyTorch where it is now.
get_filename_component(gomp_folder ${GOMP} DIRECTORY)
set(CMAKE_INSTALL_RPATH ${TORCH_LIB} ${gomp_folder})
# A wheel has the program in site-packages/culprit/program/bin, beside the PyTorch of that environment.
if(SKBUILD)
  list(PREPEND CMAKE_INSTALL_RPATH $ORIGIN/../../../torch/lib $ORIGIN/../../../torch.libs)
endif()

add_library(torch_interface INTERFACE)
target_include_directories(torch_interface SYSTEM INTERFACE ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
target_link_options(torch_interface INTERFACE -Wl,--no-as-needed)
target_link_libraries(torch_interface INTERFACE ${TORCH_LIB}/libtorch.so ${TORCH_LIB}/libtorch_cpu.so ${TORCH_LIB}/libc10.so)
