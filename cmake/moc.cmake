# SPDX-License-Identifier: GPL-3.0-or-later
# Qt's meta-object code of a library, in one source.
#
# rankscope_moc(<target> <headers...>) adds it. moc runs without include paths: it knows Q_OBJECT, and reading all of Qt
# for each header, as AUTOMOC does, takes twenty times as long.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(rankscope_moc target)
    get_target_property(moc Qt6::moc IMPORTED_LOCATION)
    set(source ${CMAKE_BINARY_DIR}/generated/moc/${target}.cpp)
    string(REPLACE ";" "," headers "${ARGN}")
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -D MOC=${moc} -D ROOT=${CMAKE_SOURCE_DIR} -D OUT=${source} -D HEADERS=${headers}
        -P ${CMAKE_SOURCE_DIR}/cmake/moc.cmake
      DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/moc.cmake COMMENT "Running moc for ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${source})
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endfunction()
  return()
endif()

string(REPLACE "," ";" headers "${HEADERS}")
set(code "// Made by cmake/moc.cmake.\n")
foreach(header IN LISTS headers)
  file(STRINGS ${header} objects REGEX "Q_(OBJECT|GADGET|NAMESPACE)")
  if(objects)
    file(RELATIVE_PATH name ${ROOT} ${header})
    execute_process(COMMAND ${MOC} --no-notes -f ${name} ${header} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND code "${text}")
  endif()
endforeach()
file(WRITE ${OUT} "${code}")
