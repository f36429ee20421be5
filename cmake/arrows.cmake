# SPDX-License-Identifier: GPL-3.0-or-later
# Reads cmake/arrows.txt: the libraries that a folder's library links with.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/arrows.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/arrows.txt arrow_lines REGEX "^[a-z]")
foreach(line IN LISTS arrow_lines)
  string(REGEX MATCH "^([^:]+):(.*)$" _ "${line}")
  set(folder "${CMAKE_MATCH_1}")
  string(REGEX MATCHALL "[a-z_/.]+" arrows_of_${folder} "${CMAKE_MATCH_2}")
  list(APPEND arrow_folders ${folder})
endforeach()

# rankscope_library_name(<variable> <folder>): core/base is rankscope_base, ui/panels/steps is rankscope_ui_panels_steps.
function(rankscope_library_name variable folder)
  string(REGEX REPLACE "^core/" "" name ${folder})
  string(REPLACE "/" "_" name ${name})
  set(${variable} rankscope_${name} PARENT_SCOPE)
endfunction()

# rankscope_arrows_of(<variable> <folder>): the libraries that the folder's library links with.
function(rankscope_arrows_of variable folder)
  set(libraries)
  foreach(to IN LISTS arrows_of_${folder})
    rankscope_library_name(library ${to})
    list(APPEND libraries ${library})
  endforeach()
  set(${variable} ${libraries} PARENT_SCOPE)
endfunction()

# rankscope_folders(<variable> <top>): the folders below `top` (core or ui) that are libraries.
function(rankscope_folders variable top)
  set(folders ${arrow_folders})
  list(FILTER folders INCLUDE REGEX "^${top}/[a-z_/]+$")
  set(${variable} ${folders} PARENT_SCOPE)
endfunction()
