# SPDX-License-Identifier: GPL-3.0-or-later
# The changes for the preset `static`, read after project(): only static libraries are found, and programs link no shared
# libraries, not even the C library. packaging/static_libraries.sh builds the static libraries that Debian does not ship.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(BUILD_SHARED_LIBS OFF)
set(PKG_CONFIG_ARGN --static)
set(ENV{PKG_CONFIG_PATH} ${RANKSCOPE_STATIC_LIBRARIES}/lib/pkgconfig)
list(PREPEND CMAKE_PREFIX_PATH ${RANKSCOPE_STATIC_LIBRARIES})
add_link_options(-static)
