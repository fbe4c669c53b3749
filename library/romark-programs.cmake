# CUDA programs in a CMake project without CMake's CUDA language, after find_package(romark):
#
#   romark_add_program(saxpy saxpy.cu OPTIONS -O2)   # the program saxpy, compiled by romark cc
#   romark_add_check(saxpy_marks saxpy 1000)         # a test: `saxpy 1000` runs with its read-only marks checked
#
# romark_EXECUTABLE is the command romark, romark_TOOLKIT the folder for CUDA_HOME or CMAKE_CUDA_COMPILER.
function(romark_add_program name)
  cmake_parse_arguments(program "" "" "OPTIONS" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(sources)
  foreach(source ${program_UNPARSED_ARGUMENTS})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  add_custom_command(OUTPUT ${output} COMMAND ${romark_EXECUTABLE} cc ${program_OPTIONS} ${sources} -o ${output}
    DEPENDS ${sources} COMMENT "CUDA program ${name}" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${output})
  set_target_properties(${name} PROPERTIES ROMARK_PROGRAM ${output})
endfunction()

function(romark_add_check name program)
  get_target_property(file ${program} ROMARK_PROGRAM)
  if(NOT file)
    set(file $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${name} COMMAND ${romark_EXECUTABLE} run --verify -- ${file} ${ARGN})
endfunction()
