# `cmake --install` and find_package(kinetree [COMPONENTS io sko simulation mpi]): headers as <kinetree/...>, targets kinetree::kinetree, ::io, ::sko, ::simulation, ::mpi.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/kinetree)
add_custom_target(kinetree_installed)  # all that is installed

install(DIRECTORY ${header_root}/kinetree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN sko EXCLUDE PATTERN simulation EXCLUDE PATTERN mpi EXCLUDE)
# pages and programs to begin with, beside each other as here, so that the paths in them hold
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN "*.cpp" PATTERN "*.hpp")
install(DIRECTORY configs/models DESTINATION ${CMAKE_INSTALL_DOCDIR}/configs FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY configs/states DESTINATION ${CMAKE_INSTALL_DOCDIR}/configs FILES_MATCHING PATTERN "*.json")

install(TARGETS kinetree EXPORT kinetree_core LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
add_dependencies(kinetree_installed kinetree)
install(EXPORT kinetree_core NAMESPACE kinetree:: DESTINATION ${package_folder})
foreach(component io sko simulation mpi)
  if(TARGET kinetree_${component})
    install(TARGETS kinetree_${component} EXPORT kinetree_${component} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    add_dependencies(kinetree_installed kinetree_${component})
    install(EXPORT kinetree_${component} NAMESPACE kinetree:: DESTINATION ${package_folder})
    if(EXISTS ${header_root}/kinetree/${component})
      install(DIRECTORY ${header_root}/kinetree/${component} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kinetree
        FILES_MATCHING PATTERN "*.hpp")
    endif()
  endif()
endforeach()

configure_package_config_file(cmake/kinetree-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/kinetree-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/kinetree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kinetree-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/kinetree-config-version.cmake
  DESTINATION ${package_folder})
