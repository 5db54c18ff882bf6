# SPDX-License-Identifier: GPL-3.0-or-later
# What Debian wants of packages besides what is installed, put where cpack has gathered their files: run by cpack,
# before it makes the packages.

find_program(gzip gzip REQUIRED)
set(packaging ${CPACK_TASUKI_SOURCE}/packaging/debian)

# zip(FILE)   the same for the same content, at any time
function(zip file)
    execute_process(COMMAND ${gzip} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    if(NOT IS_DIRECTORY ${root})
        message(FATAL_ERROR "nothing of component ${component} is in ${root}")
    endif()
    string(TOUPPER ${component} name)
    set(package ${CPACK_DEBIAN_${name}_PACKAGE_NAME})
    set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
    set(documents ${root}/share/doc/${package})

    file(GLOB pages ${root}/share/man/man*/*.[0-9])
    foreach(page IN LISTS pages)
        zip(${page})
    endforeach()
    # In every package, and compressed: not once more as they are.
    file(REMOVE ${root}/share/doc/${CPACK_PACKAGE_NAME}/LICENSE ${root}/share/doc/${CPACK_PACKAGE_NAME}/CHANGELOG.md)
    file(COPY ${packaging}/copyright DESTINATION ${documents})
    configure_file(${CPACK_TASUKI_SOURCE}/CHANGELOG.md ${documents}/changelog COPYONLY)
    zip(${documents}/changelog)
    configure_file(${packaging}/changelog.in ${documents}/changelog.Debian @ONLY)
    zip(${documents}/changelog.Debian)
    # Whatever mask the checkout was made with.
    execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}
                    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
