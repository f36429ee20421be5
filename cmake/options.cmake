# SPDX-License-Identifier: GPL-3.0-or-later
# Compile options that every target of ours has. Warnings are errors.
add_library(rankscope_options INTERFACE)
target_compile_options(rankscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion
  -Wsign-conversion -Wimplicit-fallthrough -Wextra-semi)
target_include_directories(rankscope_options INTERFACE ${CMAKE_SOURCE_DIR})

if(RANKSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${RANKSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKSCOPE_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need these for ccache to hit.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime
    ${CCACHE})
endif()
