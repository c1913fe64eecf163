# Kernels on packs, compiled once per instruction set and kept apart.
#
# What is inline (std::vector<int>'s members, casts of links, ...) is compiled in every object file that uses it, and the
# linker keeps one copy for all. A copy with AVX in it must never be the one that code for older processors calls. So the
# objects of one instruction set are linked into one, in which every symbol but its factories is local.

# GNU's linker by its own name: it alone has --force-group-allocation, and where lld is installed CMake hands lld to clang.
find_program(KINETREE_GNU_LINKER NAMES x86_64-linux-gnu-ld.bfd ld.bfd DOC "GNU ld (Debian: binutils)")

# Objects that sanitizers instrument share what their runtimes need; those builds run on the machine that made them.
set(KINETREE_ISOLATE 1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(KINETREE_ISOLATE 0)
endif()

set(KINETREE_PACKS 0)
set(KINETREE_SETS "")  # beyond the baseline
set(KINETREE_WITH_AVX 0)
set(KINETREE_WITH_AVX512 0)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  find_path(KINETREE_XSIMD_INCLUDE xsimd/xsimd.hpp)
  if(KINETREE_XSIMD_INCLUDE)
    set(KINETREE_PACKS 1)
    if(KINETREE_AVX AND KINETREE_ISOLATE AND (NOT KINETREE_GNU_LINKER OR NOT CMAKE_OBJCOPY))
      message(STATUS "kinetree: no kernels for AVX (GNU ld, named ld.bfd, or objcopy is missing; package: binutils)")
    elseif(KINETREE_AVX)
      set(KINETREE_SETS avx2)
      set(KINETREE_WITH_AVX 1)
      if(KINETREE_AVX512)
        list(APPEND KINETREE_SETS avx512)
        set(KINETREE_WITH_AVX512 1)
      endif()
    endif()
  endif()
endif()
if(NOT KINETREE_PACKS)
  message(STATUS "kinetree: no lanes (for x86-64 only, and with libxsimd-dev)")
endif()

set(KINETREE_FLAGS_avx2 -mavx2 -mfma)
set(KINETREE_FLAGS_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma)
# Products and sums are fused wherever the set can, in both compilers, so that one lane and many do the same. g++ 12 takes
# _mm512_undefined of its own headers for a variable not set (GCC bug 105593). It packs no scalars into short vectors, so
# that one lane rounds as many do.
# Without optimization g++'s intrinsics are macros, which xsimd 8.1 does not compile with.
if(KINETREE_CONTRACT)
  set(contract fast)
else()
  set(contract off)  # for comparing commits bit by bit (tests/golden/compare)
endif()
set(KINETREE_FLAGS_LANES -ffp-contract=${contract} -fno-tree-slp-vectorize $<$<CONFIG:Debug>:-O2>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND KINETREE_FLAGS_LANES -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
# kinetree_link_into_one(OBJECT OBJECTS objects [DEPENDS targets] SYMBOLS flags COMMENT text)
# Links the objects into one; by the flags objcopy makes some of its symbols local. To be called where OBJECT is used.
function(kinetree_link_into_one object)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "COMMENT" "OBJECTS;DEPENDS;SYMBOLS")
  add_custom_command(OUTPUT ${object}
    COMMAND ${KINETREE_GNU_LINKER} -r --force-group-allocation -o ${object}.all ${part_OBJECTS}
    COMMAND ${CMAKE_OBJCOPY} ${part_SYMBOLS} ${object}.all ${object}
    COMMAND ${CMAKE_COMMAND} -E rm ${object}.all
    DEPENDS ${part_DEPENDS} ${part_OBJECTS} COMMAND_EXPAND_LISTS VERBATIM COMMENT "${part_COMMENT}")
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()

# Puts the objects of `library`, made for the instruction set `name`, into `variable`: one alone, kept apart; to be called
# where the component that takes them in is made.
function(kinetree_isolate_lanes library name variable)
  if(NOT KINETREE_ISOLATE)
    set(${variable} $<TARGET_OBJECTS:${library}> PARENT_SCOPE)
    return()
  endif()
  set(object ${CMAKE_CURRENT_BINARY_DIR}/lanes_${name}.o)
  kinetree_link_into_one(${object} OBJECTS $<TARGET_OBJECTS:${library}> DEPENDS ${library}
    SYMBOLS --wildcard "--keep-global-symbol=_ZN8kinetree5inner5lanes*make_${name}_*"
    COMMENT "Keeping the kernels for ${name} to themselves")
  set(${variable} ${object} PARENT_SCOPE)
endfunction()
