# SPDX-License-Identifier: GPL-3.0-or-later
# Compile options that every target of ours has. Warnings are errors.
add_library(rankscope_options INTERFACE)
target_compile_options(rankscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion
  -Wsign-conversion -Wimplicit-fallthrough -Wextra-semi
  # g++ 12 sees overlaps in "a" + std::string at -O3 that are not there (GCC bug 105651). Clang knows no such warning.
  # Nor are there the overruns that it sees in strings put together, with precompiled headers even at -O2. The
  # sanitizers would see real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow>
  # Nor does it see at -O3 that a list of variants is initialised before it is copied. The daily build keeps the check.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>)
target_include_directories(rankscope_options INTERFACE ${CMAKE_SOURCE_DIR})

# The daily build keeps assertions, and only line tables of the debug information: full ones cost a third of the
# compile time. Use CMAKE_BUILD_TYPE=Debug to look at variables.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

if(RANKSCOPE_SANITIZE)
  # With sanitizers g++ 12 takes the insides of std::regex and std::optional for uninitialised (GCC bug 105562).
  target_compile_options(rankscope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # -O2 takes up to twice as long to compile, and hides frames from the reports.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  add_compile_options(-fsanitize=${RANKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKSCOPE_SANITIZE})
endif()

# The compiler cache serves all build directories alike: it sees paths relative to the source, and is told that the
# working directory in the debug information does not matter. Precompiled headers need the sloppiness to hit.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
