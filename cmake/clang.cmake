# LLVM: the passes are built against it, its Clang compiles device code (the device library, the samples, the tests), and
# `romark cc` drives that Clang at run time.
set(ROMARK_LLVM 19 CACHE STRING "Release of LLVM and Clang (16 to 23; 19 is the reference)")
if(NOT ROMARK_LLVM MATCHES "^[0-9]+$" OR ROMARK_LLVM LESS 16)
  message(FATAL_ERROR "ROMARK_LLVM=${ROMARK_LLVM}: romark needs LLVM 16 or later; 19 is the reference")
elseif(ROMARK_LLVM GREATER 23)
  message(WARNING "LLVM ${ROMARK_LLVM} is newer than those romark is tested with, 16 to 23; scripts/test-llvm ${ROMARK_LLVM} tries it")
endif()
set(llvm_folder /usr/lib/llvm-${ROMARK_LLVM})
find_program(ROMARK_CLANG_C NAMES clang-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
find_program(ROMARK_CLANG_CXX NAMES clang++-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
find_program(ROMARK_LLVM_LINK NAMES llvm-link-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
find_program(ROMARK_LLVM_AS NAMES llvm-as-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
# libclc of release 23 lies in Clang's own folder, earlier ones beside all others.
find_file(ROMARK_LIBCLC NAMES nvptx64--nvidiacl.bc libclc.bc NO_DEFAULT_PATH
  PATHS /usr/lib/clc /usr/share/clc ${llvm_folder}/lib/clang/${ROMARK_LLVM}/lib/nvptx64-unknown-nvidiacl)
set(ROMARK_HAVE_CLANG FALSE)
set(without "romark cc and the samples are not built")
if(NOT (ROMARK_CLANG_C AND ROMARK_CLANG_CXX AND ROMARK_LLVM_LINK AND ROMARK_LLVM_AS AND ROMARK_LIBCLC))
  message(STATUS "No Clang ${ROMARK_LLVM} with libclc: ${without}")
else()
  execute_process(COMMAND ${ROMARK_LLVM_LINK} --suppress-warnings ${ROMARK_LIBCLC} -o ${CMAKE_BINARY_DIR}/CMakeFiles/libclc.bc
    RESULT_VARIABLE unreadable OUTPUT_QUIET ERROR_QUIET)
  if(unreadable)
    message(WARNING "LLVM ${ROMARK_LLVM} cannot read ${ROMARK_LIBCLC}, which a newer one wrote: ${without}. "
      "Install libclc-${ROMARK_LLVM}, which later releases can read too, or name another with -DROMARK_LIBCLC=FILE.")
  else()
    set(ROMARK_HAVE_CLANG TRUE)
  endif()
endif()
