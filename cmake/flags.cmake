# Compiler flags of every target, as one interface library.
add_library(romark_flags INTERFACE)
target_include_directories(romark_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(romark_flags INTERFACE _GNU_SOURCE)
target_compile_options(romark_flags INTERFACE -Wall -Wextra)
target_compile_options(romark_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
if(ROMARK_WERROR)
  target_compile_options(romark_flags INTERFACE -Werror)
endif()
if(ROMARK_SANITIZE)
  target_compile_options(romark_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(romark_flags INTERFACE -fsanitize=address,undefined)
endif()
if(ROMARK_FUZZ)
  target_compile_options(romark_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
