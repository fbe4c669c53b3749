# Debian packages, through CPack: scripts/package. Each component is a package.
option(ROMARK_PACKAGE "Install what Debian's packages have besides: copyright, changelog" OFF)
set(ROMARK_MAINTAINER "The romark authors <romark@users.noreply.invalid>" CACHE STRING "Whom the packages name")
set(ROMARK_DEBIAN "1" CACHE STRING "Debian's part of the packages' version")

if(ROMARK_PACKAGE)
  find_program(gzip gzip REQUIRED)
  foreach(package romark libromark-dev python3-romark)
    install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${package})
    install(FILES ${CMAKE_BINARY_DIR}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT ${package})
  endforeach()
  install(FILES packaging/romark.lintian-overrides RENAME romark DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          COMPONENT romark)
  string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(packaging/changelog.in changelog.Debian @ONLY)
  execute_process(COMMAND ${gzip} -9nf changelog.Debian WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME romark)
set(CPACK_PACKAGE_VENDOR "The romark authors")
set(CPACK_PACKAGE_CONTACT ${ROMARK_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL romark libromark-dev python3-romark)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${ROMARK_DEBIAN})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_ROMARK_PACKAGE_NAME romark)
set(CPACK_DEBIAN_ROMARK_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_ROMARK_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/packaging/triggers;${CMAKE_SOURCE_DIR}/packaging/shlibs")
set(CPACK_DEBIAN_ROMARK_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ROMARK_PACKAGE_DEPENDS "clang-${ROMARK_LLVM}, libc6-dev")
set(CPACK_DEBIAN_ROMARK_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot")
set(CPACK_DEBIAN_ROMARK_PACKAGE_SUGGESTS "python3-cffi, python3-numpy")
set(CPACK_COMPONENT_ROMARK_DESCRIPTION "read-only data of CUDA kernels, and what GPU caches make of it
romark marks the loads of data that a CUDA kernel only reads, runs CUDA
programs on a CPU device, traces their memory accesses, and simulates them
on cycle-level models of GPUs under many cache policies. It needs no GPU.")

set(CPACK_DEBIAN_LIBROMARK-DEV_PACKAGE_NAME libromark-dev)
set(CPACK_DEBIAN_LIBROMARK-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBROMARK-DEV_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBROMARK-DEV_PACKAGE_DEPENDS "romark (= ${PROJECT_VERSION}-${ROMARK_DEBIAN})")
set(CPACK_COMPONENT_LIBROMARK-DEV_DESCRIPTION "build upon romark: headers, library, policies of one's own
Headers and the library to analyse PTX, to read and write traces, and to
write policies that the simulator loads.")
# A module of Python alone: the library that it calls is in romark.
set(CPACK_DEBIAN_PYTHON3-ROMARK_PACKAGE_NAME python3-romark)
set(CPACK_DEBIAN_PYTHON3-ROMARK_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-ROMARK_PACKAGE_DEPENDS
    "romark (= ${PROJECT_VERSION}-${ROMARK_DEBIAN}), python3, python3-cffi, python3-numpy")
set(CPACK_COMPONENT_PYTHON3-ROMARK_DESCRIPTION "traces and simulations of romark in Python
Traces and results as arrays of numpy, and romark.sim() to simulate a trace.")
include(CPack)
