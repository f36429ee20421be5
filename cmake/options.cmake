# SPDX-License-Identifier: GPL-3.0-or-later
# Compile options that every target of ours has.
add_library(rankscope_options INTERFACE)
target_compile_options(rankscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion
  -Wsign-conversion -Wimplicit-fallthrough -Wextra-semi
  # False alarms of g++ 12 in std::string and std::vector (GCC bugs 105651 and 105562); the sanitizers see real overruns.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>
  $<$<BOOL:${RANKSCOPE_WERROR}>:-Werror>)
target_include_directories(rankscope_options INTERFACE ${CMAKE_SOURCE_DIR})

# One set of flags for daily work, tests, benchmarks and packages: what is measured is what is shipped. Assertions stay
# in. Debug information is line tables only: full ones cost a third of the compile time (CMAKE_BUILD_TYPE=Debug has them).
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# The window's widgets, the command line and the reports wait for people and disks, and compile a third faster this way.
add_library(rankscope_light INTERFACE)
# Tests: no debug information, and no optimisation where the code of the tests themselves is all there is.
add_library(rankscope_test_code INTERFACE)
add_library(rankscope_test_tools INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  target_compile_options(rankscope_light INTERFACE -O1)
  target_compile_options(rankscope_test_code INTERFACE -O0 -g0)
  target_compile_options(rankscope_test_tools INTERFACE -O1 -g0)
endif()

if(RANKSCOPE_SANITIZE)
  # With sanitizers g++ 12 takes the insides of std::regex and std::optional for uninitialised (GCC bug 105562).
  target_compile_options(rankscope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # -O2 takes up to twice as long to compile, and hides frames from the reports.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  add_compile_options(-fsanitize=${RANKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKSCOPE_SANITIZE})
endif()

# mold links in a fifth of the time. The static program is linked by the system's own linker.
find_program(MOLD mold)
if(MOLD AND NOT RANKSCOPE_STATIC_LIBRARIES)
  add_link_options(-fuse-ld=mold)
endif()

# The compiler cache serves all build directories alike: it sees paths relative to the source, and is told that the
# working directory in the debug information does not matter. Precompiled headers need the sloppiness to hit, and the
# comments, by which g++ tells a header from the one that it has precompiled.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_COMMENTS=true ${CCACHE})
endif()
