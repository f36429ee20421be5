# SPDX-License-Identifier: GPL-3.0-or-later
# Compile options of all our targets.
add_library(rankscope_options INTERFACE)
target_compile_options(rankscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion
  -Wsign-conversion -Wimplicit-fallthrough -Wextra-semi
  # False alarms of g++ 12 in std::string and std::vector (GCC bugs 105651 and 105562); sanitizers find real overruns.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>
  # Files of one batch see each other's constants, and clang (the fuzzers) takes an equal local name for a shadow.
  $<$<AND:$<BOOL:${RANKSCOPE_UNITY}>,$<CXX_COMPILER_ID:Clang>>:-Wno-shadow>
  $<$<BOOL:${RANKSCOPE_WERROR}>:-Werror>)
target_include_directories(rankscope_options INTERFACE ${CMAKE_SOURCE_DIR})

# Daily work, tests, benchmarks and packages use the same flags: we measure what we ship. Assertions stay on. Debug
# information is line tables only: full information takes a third of the compile time (CMAKE_BUILD_TYPE=Debug has it).
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

# Widgets, command line and reports wait for people and disks, so they are optimised less: a third faster to compile.
add_library(rankscope_light INTERFACE)
# Tests: no debug information, and no optimisation if a target has only test code.
add_library(rankscope_test_code INTERFACE)
add_library(rankscope_test_tools INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  target_compile_options(rankscope_light INTERFACE -O1)
  target_compile_options(rankscope_test_code INTERFACE -O0 -g0)
  target_compile_options(rankscope_test_tools INTERFACE -O1 -g0)
endif()

if(RANKSCOPE_SANITIZE)
  # With sanitizers, g++ 12 reports parts of std::regex and std::optional as uninitialised (GCC bug 105562).
  target_compile_options(rankscope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # -O2 takes up to twice as long to compile, and hides frames in reports.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  add_compile_options(-fsanitize=${RANKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKSCOPE_SANITIZE})
endif()

# mold links in a fifth of the time. The system's linker links the static program.
find_program(MOLD mold)
if(MOLD AND NOT RANKSCOPE_STATIC_LIBRARIES)
  add_link_options(-fuse-ld=mold)
endif()

# All build directories share the compiler cache: paths are relative to the source, and the working directory in the
# debug information does not count. For precompiled headers the cache needs the sloppiness, and the comments too: g++ compares
# them with the precompiled header.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_COMMENTS=true ${CCACHE})
endif()
