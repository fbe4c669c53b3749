# LLVM: the passes are built against it, its Clang compiles device code (the device library, the samples, the tests), and
# `romark cc` drives that Clang at run time.
set(ROMARK_LLVM 19 CACHE STRING "Release of LLVM and Clang (16 to 23; 19 is the reference)")
set(llvm_folder /usr/lib/llvm-${ROMARK_LLVM})
find_program(ROMARK_CLANG_C NAMES clang-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
find_program(ROMARK_CLANG_CXX NAMES clang++-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
find_program(ROMARK_LLVM_LINK NAMES llvm-link-${ROMARK_LLVM} HINTS ${llvm_folder}/bin)
# libclc of release 23 lies in Clang's own folder, earlier ones beside all others.
find_file(ROMARK_LIBCLC NAMES nvptx64--nvidiacl.bc libclc.bc NO_DEFAULT_PATH
  PATHS /usr/lib/clc /usr/share/clc ${llvm_folder}/lib/clang/${ROMARK_LLVM}/lib/nvptx64-unknown-nvidiacl)
if(ROMARK_CLANG_C AND ROMARK_CLANG_CXX AND ROMARK_LLVM_LINK AND ROMARK_LIBCLC)
  set(ROMARK_HAVE_CLANG TRUE)
else()
  set(ROMARK_HAVE_CLANG FALSE)
  message(STATUS "No Clang ${ROMARK_LLVM} with libclc: romark cc and the samples are not built")
endif()
