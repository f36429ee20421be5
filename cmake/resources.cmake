# SPDX-License-Identifier: GPL-3.0-or-later
# Embeds text files of resources/ in the program, so that core needs neither Qt nor files at run time.
#
# rankscope_embed(<target> <name> <file>) makes `extern const std::string_view rankscope::resources::<name>` from a
# file, declared in the generated header "resources/<name>.h".
function(rankscope_embed target name file)
  set(source ${CMAKE_SOURCE_DIR}/${file})
  set(dir ${CMAKE_BINARY_DIR}/generated/resources)
  file(READ ${source} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(CONFIGURE OUTPUT ${dir}/${name}.h @ONLY CONTENT "#pragma once
#include <string_view>
namespace rankscope::resources {
extern const std::string_view ${name};
}
")
  file(CONFIGURE OUTPUT ${dir}/${name}.cpp @ONLY CONTENT "#include \"resources/${name}.h\"
// C++ compilers need not take texts over 64 KiB; ours do.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace rankscope::resources {
extern const std::string_view ${name};
const std::string_view ${name} = R\"rankscope_embed(${text})rankscope_embed\";
}
")
  target_sources(${target} PRIVATE ${dir}/${name}.cpp)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
