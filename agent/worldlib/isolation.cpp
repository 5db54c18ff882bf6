// SPDX-License-Identifier: GPL-3.0-or-later
#include "isolation.h"

#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

extern char** environ;

namespace tasuki::world {

void isolateOpenMpi()
{
    std::vector<std::string> names;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text(*one);
        const std::string name(text.substr(0, text.find('=')));
        if (name.starts_with("OMPI_") || name.starts_with("PMIX_") || name.starts_with("PMI_"))
            names.push_back(name);
    }
    for (const std::string& name : names)
        ::unsetenv(name.c_str());
    ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
    ::setenv("OMPI_MCA_pml", "ob1", 1);
    ::setenv("OMPI_MCA_btl", "self", 1);
    ::setenv("OMPI_MCA_osc", "^ucx", 1);
    // Each component that is not loaded is some time saved when a rank is to go on.
    ::setenv("OMPI_MCA_coll", "self,basic,libnbc,inter", 1);
    ::setenv("OMPI_MCA_shmem", "mmap", 1);
    ::setenv("OMPI_MCA_orte_create_session_dirs", "0", 1);
    // Of a file that several have open, each writes what is its own, and not what lies between, as it was some time ago.
    ::setenv("OMPI_MCA_io", "ompio", 1);
    ::setenv("OMPI_MCA_fbtl_posix_write_datasieving", "0", 1);
    ::setenv("OMPI_MCA_sharedfp", "individual", 1);
}

} // namespace tasuki::world
