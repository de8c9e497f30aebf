# What the Python extension is built with: CULPRIT_PYTHON_INCLUDE, the headers of that Python, and
# CULPRIT_PYTHON_SUFFIX, how it names extensions. pybind11 is the one that PyTorch brings.
execute_process(
  COMMAND ${CULPRIT_PYTHON} -c "import sysconfig; print(sysconfig.get_path('include'), sysconfig.get_config_var('EXT_SUFFIX'), sep='\\n')"
  OUTPUT_VARIABLE python_found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" python_found "${python_found}")
list(GET python_found 0 CULPRIT_PYTHON_INCLUDE)
list(GET python_found 1 CULPRIT_PYTHON_SUFFIX)
if(NOT EXISTS ${CULPRIT_PYTHON_INCLUDE}/Python.h)
  culprit_missing("the headers of ${CULPRIT_PYTHON} are missing: there is no ${CULPRIT_PYTHON_INCLUDE}/Python.h" python3-dev)
endif()
