# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed besides the programs, which their own folders install, and the Debian package
# that `cpack` makes of all of it.

install(FILES packaging/man/tasuki-agent.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where the Python of Debian looks for modules.
install(FILES resources/python/tasuki.py DESTINATION lib/python3/dist-packages)
install(DIRECTORY resources/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS)
if(TASUKI_WINDOW)
    install(FILES packaging/man/tasuki.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES packaging/desktop/tasuki.desktop
            DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES packaging/desktop/tasuki.metainfo.xml
            DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES packaging/desktop/tasuki.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES resources/icons/tasuki.svg
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tasuki)
set(CPACK_PACKAGE_VENDOR Tasuki)
set(CPACK_PACKAGE_CONTACT "The Tasuki maintainers <maintainers@tasuki.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tasuki-agent farms the commands of a task list over the ranks of an MPI launch, keeps a durable
 record of every attempt, goes on when a rank dies, and resumes what was interrupted.")
# The libraries are found in the programs. mpirun and the shell that runs tasks are not.
find_program(TASUKI_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TASUKI_SHLIBDEPS)
if(TASUKI_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin (>= 4.1)")

include(CPack)
