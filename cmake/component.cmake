# A component of the package: the library that is installed, and an archive for this project's own programs.
#
# Sources are compiled once, position-independent and with hidden visibility, for archives and shared libraries alike.
# Position-independent code costs no time where functions are hidden: x86-64 and AArch64 address data relative to the
# instruction anyway, and hidden functions are called directly, not through a table.
#
# Private code stays inside. Of a shared library the linker sees to that. The objects of an archive are sealed: linked into
# one, in which hidden symbols are local. Else a program's own copies of inline functions (Eigen's, above all) would stand in
# for those that the library was compiled with; compiled for other instructions they align memory otherwise, and what one
# allocates the other can't free.

# -fno-gnu-unique: symbols that are unique in a whole process can't be made local, tie two plugins together, and keep them
# from being unloaded. -fno-lto: the linker seals machine code. -Wno-attributes: g++ warns that an exported class has hidden
# members. --param: in the large functions of kernels g++ 12 spends a fifth of its time on asking which earlier stores a load
# may read; asked less often it makes the code that it makes else, but for 0.03 % of it (avx2_float.cpp). Sections: a program
# that an archive is linked into leaves out what it does not call: everything in float, above all.
set(KINETREE_FLAGS_COMPONENT -fno-lto -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND KINETREE_FLAGS_COMPONENT -fno-gnu-unique -Wno-attributes
    --param=sccvn-max-alias-queries-per-access=50 --param=dse-max-alias-queries-per-store=32 --param=dse-max-object-size=64)
endif()

set(KINETREE_SEALED OFF)
if(NOT BUILD_SHARED_LIBS AND KINETREE_ISOLATE)
  if(KINETREE_GNU_LINKER AND CMAKE_OBJCOPY)
    set(KINETREE_SEALED ON)
  else()
    message(STATUS "kinetree: archives are not sealed (GNU ld, named ld.bfd, or objcopy is missing; package: binutils): "
      "compile programs with the instruction set of the library, or set BUILD_SHARED_LIBS")
  endif()
endif()

# An object library of these sources, for a component.
function(kinetree_add_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PUBLIC ${header_root})
  target_link_libraries(${name} PUBLIC Eigen3::Eigen PRIVATE kinetree_warnings)
  target_compile_options(${name} PRIVATE ${KINETREE_FLAGS_COMPONENT})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# Of small files most of the time goes into the headers that they share: `count` of them at a time are compiled together. No
# name may stand twice in their unnamed namespaces. Where one file changes, its neighbours are compiled again.
function(kinetree_compile_together target count)
  set(index 0)
  foreach(source ${ARGN})
    math(EXPR group "${index} / ${count}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
    math(EXPR index "${index} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# kinetree_add_component(NAME OBJECTS object-libraries [FILES objects] [PUBLIC libraries] [PRIVATE libraries])
# NAME is what the package has; NAME_open the archive of these objects with private code in reach.
function(kinetree_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "" "OBJECTS;FILES;PUBLIC;PRIVATE")
  list(TRANSFORM part_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  list(APPEND objects ${part_FILES})
  add_library(${name}_open STATIC EXCLUDE_FROM_ALL ${objects})
  list(TRANSFORM part_PUBLIC REPLACE "^(kinetree[a-z_]*)$" "\\1_open" OUTPUT_VARIABLE public_open)
  target_link_libraries(${name}_open PUBLIC ${public_open} PRIVATE ${part_PRIVATE})

  if(KINETREE_SEALED)
    set(sealed ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    kinetree_link_into_one(${sealed} OBJECTS ${objects} DEPENDS ${part_OBJECTS} SYMBOLS --localize-hidden
      COMMENT "Sealing ${name}")
    set(objects ${sealed})
  endif()
  add_library(${name} ${objects})  # static or shared, as BUILD_SHARED_LIBS says
  target_link_libraries(${name} PUBLIC ${part_PUBLIC} PRIVATE ${part_PRIVATE})
  # while versions are 0.x, each minor one may change the interface
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH $ORIGIN)
  if(BUILD_SHARED_LIBS AND KINETREE_ISOLATE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # a plugin that an archive is linked into shows none of it, so that no other kinetree in the process stands in for it
    target_link_options(${name} INTERFACE LINKER:--exclude-libs,lib${name}.a LINKER:--gc-sections)
  endif()
  foreach(library ${name} ${name}_open)
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${header_root}>
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_compile_features(${library} PUBLIC cxx_std_20)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  endforeach()
  string(REPLACE "kinetree_" "" short ${name})
  add_library(kinetree::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
endfunction()
