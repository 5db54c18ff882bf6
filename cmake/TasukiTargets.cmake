# SPDX-License-Identifier: GPL-3.0-or-later
# How Tasuki declares its targets: one place for warnings, sanitizers and include paths.

# Tests do not warn of conversions: Qt 6.8's QTRY macros convert inside.
add_library(tasuki_test_warnings INTERFACE)
add_library(tasuki::test_warnings ALIAS tasuki_test_warnings)
target_compile_options(tasuki_test_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast
    -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused
    -Wformat=2 -Wimplicit-fallthrough
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>
    $<$<BOOL:${TASUKI_WERROR}>:-Werror>)
add_library(tasuki_warnings INTERFACE)
add_library(tasuki::warnings ALIAS tasuki_warnings)
target_compile_options(tasuki_warnings INTERFACE -Wconversion -Wsign-conversion)
target_link_libraries(tasuki_warnings INTERFACE tasuki::test_warnings)

add_library(tasuki_sanitizers INTERFACE)
add_library(tasuki::sanitizers ALIAS tasuki_sanitizers)
if(TASUKI_SANITIZE STREQUAL "address")
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(tasuki_sanitizers INTERFACE ${flags})
    target_link_options(tasuki_sanitizers INTERFACE ${flags})
elseif(TASUKI_SANITIZE STREQUAL "thread")
    # Asio uses fences, which GCC's thread sanitizer does not model and warns about.
    target_compile_options(tasuki_sanitizers INTERFACE -fsanitize=thread
        $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    target_link_options(tasuki_sanitizers INTERFACE -fsanitize=thread)
elseif(TASUKI_SANITIZE)
    message(FATAL_ERROR "TASUKI_SANITIZE is '${TASUKI_SANITIZE}'; use address, thread or nothing")
endif()

# What all libraries of ours are compiled with.
function(tasuki_prepare_library target)
    target_include_directories(${target} PUBLIC ${TASUKI_LAYER_ROOT})
    target_link_libraries(${target} PUBLIC tasuki::sanitizers PRIVATE tasuki::warnings)
endfunction()

# tasuki_group(NAME [QT])
# In a unity build the libraries that name this group are compiled together, as the one library tasuki_NAME: what
# many small ones include is read once. Otherwise each is a target of its own, whose links are checked by the linker.
# After the libraries, tasuki_end_group(NAME).
function(tasuki_group name)
    cmake_parse_arguments(arg "QT" "" "" ${ARGN})
    if(NOT CMAKE_UNITY_BUILD)
        return()
    endif()
    add_library(tasuki_${name} STATIC)
    tasuki_prepare_library(tasuki_${name})
    if(arg_QT)
        tasuki_prepare_qt(tasuki_${name})
    endif()
endfunction()

# Links the group with what its libraries link, but for themselves.
function(tasuki_end_group name)
    if(NOT CMAKE_UNITY_BUILD)
        return()
    endif()
    foreach(scope IN ITEMS PUBLIC PRIVATE)
        get_property(links GLOBAL PROPERTY TASUKI_GROUP_${name}_${scope})
        list(REMOVE_DUPLICATES links)
        foreach(link IN LISTS links)
            set(group "")
            if(TARGET ${link})
                get_property(group TARGET ${link} PROPERTY TASUKI_GROUP)
            endif()
            if(NOT group STREQUAL name)
                target_link_libraries(tasuki_${name} ${scope} ${link})
            endif()
        endforeach()
    endforeach()
endfunction()

# tasuki_library(NAME [GROUP group] SOURCES file... [LINKS target...] [PRIVATE_LINKS target...])
# A static library tasuki_NAME with the alias tasuki::NAME. Includes are written from the root of
# the layer: "domain/task.h" in shared, "farm/master.h" in agent. TASUKI_TARGET is the target that compiles it.
function(tasuki_library name)
    cmake_parse_arguments(arg "" "GROUP" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
    set(target tasuki_${name})
    if(CMAKE_UNITY_BUILD AND arg_GROUP)
        add_library(${target} INTERFACE)
        set_property(TARGET ${target} PROPERTY TASUKI_GROUP ${arg_GROUP})
        set(target tasuki_${arg_GROUP})
        target_link_libraries(tasuki_${name} INTERFACE ${target})
        target_sources(${target} PRIVATE ${arg_SOURCES})
        set_property(GLOBAL APPEND PROPERTY TASUKI_GROUP_${arg_GROUP}_PUBLIC ${arg_LINKS})
        set_property(GLOBAL APPEND PROPERTY TASUKI_GROUP_${arg_GROUP}_PRIVATE ${arg_PRIVATE_LINKS})
    else()
        add_library(${target} STATIC ${arg_SOURCES})
        tasuki_prepare_library(${target})
        target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
    endif()
    add_library(tasuki::${name} ALIAS tasuki_${name})
    set(TASUKI_TARGET ${target} PARENT_SCOPE)
endfunction()

# What code that uses Qt is compiled with.
function(tasuki_prepare_qt target)
    set_target_properties(${target} PROPERTIES AUTOMOC ON)
    target_compile_definitions(${target} PUBLIC QT_NO_KEYWORDS)
endfunction()

# tasuki_qt_library(NAME ...) as tasuki_library, for code that uses Qt.
function(tasuki_qt_library name)
    tasuki_library(${name} ${ARGN})
    if(TASUKI_TARGET STREQUAL tasuki_${name})
        tasuki_prepare_qt(${TASUKI_TARGET})
    endif()
    set(TASUKI_TARGET ${TASUKI_TARGET} PARENT_SCOPE)
endfunction()

# tasuki_program(NAME SOURCES file... LINKS target...)
function(tasuki_program name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LINKS} tasuki::warnings tasuki::sanitizers)
endfunction()

# From Qt 6.8 on, QtTest's macros that wait narrow a duration in the code of the test itself. Linked
# after tasuki::warnings, so that it has the last word.
add_library(tasuki_qttest_warnings INTERFACE)
target_compile_options(tasuki_qttest_warnings INTERFACE -Wno-conversion)

# tasuki_test_program(NAME)
# The program tests_NAME, which takes up the tests and tools that are declared after it in this folder and below.
function(tasuki_test_program name)
    set(program tests_${name})
    add_executable(${program} ${PROJECT_SOURCE_DIR}/tests/support/testprogram.cpp)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${program}_moc)
    tasuki_prepare_test(${program})
    set(TASUKI_TEST_PROGRAM ${program} PARENT_SCOPE)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL tasuki_make_moc_files ${program})")
endfunction()

# What moc makes of the sources of a program. They include what they say of Qt themselves: without the headers that
# they include moc takes a tenth of the time.
function(tasuki_make_moc_files program)
    set(directory ${CMAKE_CURRENT_BINARY_DIR}/${program}_moc)
    file(MAKE_DIRECTORY ${directory})
    get_target_property(sources ${program} TASUKI_MOC_SOURCES)
    if(NOT sources)
        return()
    endif()
    list(REMOVE_DUPLICATES sources)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        if(source MATCHES "\\.h$")
            set(moc ${directory}/moc_${name}.cpp)
            set_source_files_properties(${moc} PROPERTIES HEADER_FILE_ONLY ON)
        else()
            set(moc ${directory}/${name}.moc)
        endif()
        add_custom_command(OUTPUT ${moc} COMMAND Qt6::moc -DQT_NO_KEYWORDS -o ${moc} ${source} DEPENDS ${source} VERBATIM)
        target_sources(${program} PRIVATE ${moc})
    endforeach()
endfunction()

# tasuki_tool_program(NAME LINKS target...)
# The program tests_NAME, which takes up the tools that are declared after it in this folder and below: benches and
# long checks, compiled as the programs that they look at.
function(tasuki_tool_program name)
    cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
    set(program tests_${name})
    add_executable(${program} ${PROJECT_SOURCE_DIR}/tests/support/testprogram.cpp)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_compile_definitions(${program} PRIVATE QT_NO_KEYWORDS)
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    # To a file that several are compiled in, the anonymous namespaces of each are as those of a header.
    target_compile_options(${program} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    target_link_libraries(${program} PRIVATE ${arg_LINKS} tasuki::warnings tasuki::sanitizers)
endfunction()

# tasuki_tool(NAME [IN directory] [SOURCES file...] [LINKS target...])
# A program NAME from NAME.cpp, as a part of the program TASUKI_TEST_PROGRAM: a link of its name in DIRECTORY, by
# default that of the tests, leads there.
function(tasuki_tool name)
    cmake_parse_arguments(arg "" "IN" "SOURCES;LINKS" ${ARGN})
    if(NOT arg_IN)
        set(arg_IN ${CMAKE_BINARY_DIR}/tests)
    endif()
    set(program ${TASUKI_TEST_PROGRAM})
    add_custom_target(${name} DEPENDS ${program})
    file(MAKE_DIRECTORY ${arg_IN})
    file(CREATE_LINK ${CMAKE_BINARY_DIR}/tests/${program} ${arg_IN}/${name} SYMBOLIC)
    tasuki_add_sources(${program} ${name}.cpp ${arg_SOURCES})
    target_link_libraries(${program} PRIVATE ${arg_LINKS})
endfunction()

# Adds sources of this folder to a target, each once.
function(tasuki_add_sources target)
    get_target_property(known ${target} SOURCES)
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        if(NOT source IN_LIST known)
            target_sources(${target} PRIVATE ${source})
            list(APPEND known ${source})
        endif()
    endforeach()
endfunction()

# What all programs of tests are compiled with.
function(tasuki_prepare_test target)
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
        # Sooner compiled; who looks into a test builds the preset dev.
        target_compile_options(${target} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-Og,-O1> -g0)
    endif()
    # What an initialiser leaves out has a default; and to a file that several are compiled in, the anonymous
    # namespaces of each are as those of a header: Clang warns of neither. Of bounds GCC 12 warns falsely, in what it
    # has inlined of strings and containers, and with -Og of what it does not see initialised.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers
        -Wno-subobject-linkage -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
        -Wno-maybe-uninitialized>)
    target_link_libraries(${target} PRIVATE Qt6::Test tasuki::test_warnings tasuki::sanitizers)
    if(Qt6_VERSION VERSION_GREATER_EQUAL 6.8)
        target_link_libraries(${target} PRIVATE tasuki_qttest_warnings)
    endif()
    if(CMAKE_UNITY_BUILD)
        target_compile_options(${target} PRIVATE -include ${PROJECT_SOURCE_DIR}/tests/support/testprogram.h)
    elseif(TASUKI_TEST_HEADERS)
        # Where macros differ, GCC reads the headers as ever.
        target_precompile_headers(${target} REUSE_FROM ${TASUKI_TEST_HEADERS})
        set_target_properties(${target} PROPERTIES PCH_WARN_INVALID OFF)
    endif()
endfunction()

# tasuki_test(NAME [ALONE] [SOURCES file...] [HEADERS file...] LINKS target... [TIMEOUT seconds] [LABELS label...]
#             [RANKS n...] [COST n] [PROCESSORS n] [SERIAL] [ENVIRONMENT NAME=VALUE...])
# The QtTest test tst_NAME from tst_NAME.cpp: a part of the folder's program, with a link of its name beside it,
# or, with ALONE, a program of its own, whose main() it has. With RANKS it is run under mpirun, once per count.
# A test with a high COST begins early. It also gets the labels in TASUKI_TEST_LABELS. With the thread sanitizer only tests
# with the label `threads` are declared. The source includes tst_NAME.moc; with HEADERS, which declare
# QObjects of the test's, some other one includes moc_HEADER.cpp.
function(tasuki_test name)
    cmake_parse_arguments(arg "ALONE;SERIAL" "TIMEOUT;COST;PROCESSORS"
        "SOURCES;HEADERS;LINKS;LABELS;RANKS;ENVIRONMENT" ${ARGN})
    if(TASUKI_SANITIZE STREQUAL "thread" AND NOT "threads" IN_LIST arg_LABELS)
        return()
    endif()
    set(test tst_${name})
    list(APPEND arg_LABELS ${TASUKI_TEST_LABELS})
    if(arg_ALONE)
        set(target ${test})
        set(command $<TARGET_FILE:${test}>)
        add_executable(${target})
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
        target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
        tasuki_prepare_test(${target})
        cmake_language(EVAL CODE "cmake_language(DEFER CALL tasuki_make_moc_files ${target})")
    else()
        set(target ${TASUKI_TEST_PROGRAM})
        set(command $<TARGET_FILE:${target}> ${test})
        add_custom_target(${test} DEPENDS ${target})
        file(CREATE_LINK ${target} ${CMAKE_BINARY_DIR}/tests/${test} SYMBOLIC)
    endif()
    tasuki_add_sources(${target} ${test}.cpp ${arg_SOURCES})
    foreach(source IN ITEMS ${test}.cpp ${arg_HEADERS})
        set_property(TARGET ${target} APPEND PROPERTY TASUKI_MOC_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    endforeach()
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    if(arg_RANKS)
        foreach(count IN LISTS arg_RANKS)
            add_test(NAME ${test}_ranks${count}
                     COMMAND ${MPIEXEC_EXECUTABLE} -n ${count} --oversubscribe ${command})
            list(APPEND tests ${test}_ranks${count})
        endforeach()
    else()
        add_test(NAME ${test} COMMAND ${command})
        set(tests ${test})
    endif()
    set(environment ${TASUKI_TEST_ENVIRONMENT} ${arg_ENVIRONMENT})
    if(arg_TIMEOUT GREATER 300) # what Qt gives a single function
        list(APPEND environment "QTEST_FUNCTION_TIMEOUT=${arg_TIMEOUT}000")
    endif()
    set_tests_properties(${tests} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
        ENVIRONMENT "${environment}")
    foreach(property IN ITEMS COST PROCESSORS)
        if(arg_${property})
            set_tests_properties(${tests} PROPERTIES ${property} ${arg_${property}})
        endif()
    endforeach()
    if(arg_SERIAL)
        set_tests_properties(${tests} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()
