# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed besides the programs, which their own folders install, and the Debian packages that `cpack` makes.
# Each component of the installation is a package: agent, window, dev, doc.

install(FILES packaging/man/tasuki-agent.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT agent)
# Where the Python of Debian looks for modules.
install(FILES resources/python/tasuki.py DESTINATION lib/python3/dist-packages COMPONENT agent)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
# As the links of README.md have it.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(FILES resources/screenshots/window.png
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/resources/screenshots COMPONENT doc)
install(DIRECTORY resources/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc USE_SOURCE_PERMISSIONS)
if(TASUKI_WINDOW)
    install(FILES packaging/man/tasuki.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT window)
    install(FILES packaging/desktop/tasuki.desktop
            DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    install(FILES packaging/desktop/tasuki.metainfo.xml
            DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
    install(FILES packaging/desktop/tasuki.xml
            DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
    install(FILES resources/icons/tasuki.svg
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tasuki)
set(CPACK_PACKAGE_VENDOR Tasuki)
set(CPACK_PACKAGE_CONTACT "The Tasuki maintainers <maintainers@tasuki.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# Each package has a summary of its own, the first line of its description; CPack puts none before it when this is its
# default.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_COMPONENTS_ALL agent dev doc)
if(TASUKI_WINDOW)
    list(APPEND CPACK_COMPONENTS_ALL window)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/stage.cmake)
set(CPACK_TASUKI_SOURCE ${PROJECT_SOURCE_DIR})

# Packages of each release of Debian need its libraries: the version tells which, and follows the releases.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
if(system_ID STREQUAL "debian" AND system_VERSION_ID)
    string(APPEND CPACK_DEBIAN_PACKAGE_RELEASE "~deb${system_VERSION_ID}")
endif()
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE tasuki)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The libraries are found in the programs. mpirun and the shell that runs tasks are not.
find_program(TASUKI_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TASUKI_SHLIBDEPS)

# tasuki_package(COMPONENT NAME SECTION DESCRIPTION)   The first line is the summary; CPack indents the others.
macro(tasuki_package component name section description)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${component}_DESCRIPTION ${description})
    if(TASUKI_SHLIBDEPS)
        set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
    endif()
endmacro()

tasuki_package(AGENT tasuki-agent science
"task lists run on the ranks of an MPI launch
tasuki-agent farms the commands of a task list over the ranks of an MPI
launch, keeps a durable record of every attempt, goes on when a rank dies,
and resumes what was interrupted.

With it come the libraries that MPI programs are run and traced with, and
a module for Python. It needs no display: package tasuki has the window.")
set(CPACK_DEBIAN_AGENT_PACKAGE_DEPENDS "openmpi-bin (>= 4.1)")
set(CPACK_DEBIAN_AGENT_PACKAGE_SUGGESTS "python3, tasuki-doc")
# Once there was one package for everything.
set(CPACK_DEBIAN_AGENT_PACKAGE_BREAKS "tasuki (<< 0.1.0-1~)")
set(CPACK_DEBIAN_AGENT_PACKAGE_REPLACES "tasuki (<< 0.1.0-1~)")
set(CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA "")
foreach(control postinst postrm shlibs triggers)
    list(APPEND CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/agent/${control})
endforeach()

tasuki_package(WINDOW tasuki science
"window on runs of task lists on a cluster
Shows the ranks of a run, a timeline of every attempt, all tasks, what they
write, and the processors with what happened to them, live or from the
record. Runs are started and steered there, too, and plans made of where
tasks should run.

Runs of other hosts are opened over ssh. To run something on this host,
tasuki-agent is needed.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS tasuki-agent)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS tasuki-doc)

tasuki_package(DEV libtasuki-dev libdevel
"restart points and signs of life for MPI programs - development
With tasuki.h and libtasuki.so, an MPI program that runs as a world of
tasuki-agent says where it is, from where it can go on when a rank is lost,
and that it lives.

This package has what programs are compiled with: the header, and how
pkg-config and CMake find the library.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "tasuki-agent (= ${version})")
set(CPACK_DEBIAN_DEV_PACKAGE_BREAKS "tasuki (<< 0.1.0-1~)")
set(CPACK_DEBIAN_DEV_PACKAGE_REPLACES "tasuki (<< 0.1.0-1~)")

tasuki_package(DOC tasuki-doc doc
"task lists run on the ranks of an MPI launch - documentation
tasuki-agent farms the commands of a task list over the ranks of an MPI
launch; package tasuki has its window.

This package has the guide, examples, and the reasons for how Tasuki works.")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_PACKAGE_BREAKS "tasuki (<< 0.1.0-1~)")
set(CPACK_DEBIAN_DOC_PACKAGE_REPLACES "tasuki (<< 0.1.0-1~)")

include(CPack)
