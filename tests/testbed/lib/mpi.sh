# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# How mpirun, started on `head`, reaches the nodes: by the launch agent instead of ssh. Everything
# is said by environment variables, so that any mpirun command works unchanged. Each is given in the
# words of Open MPI 4.1 and, where they differ, of Open MPI 5 too; neither minds the other's.

exportMpi() {
    local node
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$state/launchagent
    export PRTE_MCA_plm=ssh PRTE_MCA_plm_ssh_agent=$state/launchagent
    export OMPI_MCA_plm_rsh_no_tree_spawn=1 PRTE_MCA_plm_ssh_no_tree_spawn=1
    export OMPI_MCA_oob_tcp_if_include=$controlNetwork PRTE_MCA_prte_if_include=$controlNetwork
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp
    [[ $(mpiMajor) -lt 5 ]] || OMPI_MCA_btl=self,sm,tcp
    export OMPI_MCA_btl_tcp_if_include=$dataNetwork
    export OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_rmaps_base_oversubscribe=1
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    export OMPI_MCA_orte_tmpdir_base=$state/tmp PRTE_MCA_prte_tmpdir_base=$state/tmp
    export OMPI_MCA_btl_vader_backing_directory=$state/tmp OMPI_MCA_btl_sm_backing_directory=$state/tmp
    for node in "${nodes[@]}"; do printf '%s slots=1\n' "$node"; done > "$state/hostfile"
    export OMPI_MCA_orte_default_hostfile=$state/hostfile
    export PRTE_MCA_prte_default_hostfile=$state/hostfile
    export TASUKI_TESTBED_DIRECTORY=$state
    if [[ ${TASUKI_TESTBED_REFERENCE:-$reference} != 0 ]]; then
        TASUKI_TESTBED_SPEED=$(built testbed/libtestbed-speed.so)
        export TASUKI_TESTBED_SPEED
    fi
}

mpiMajor() {
    local version
    local -a inside=()
    [[ -z ${TASUKI_TESTBED_ROOT:-} ]] || inside=(chroot "$TASUKI_TESTBED_ROOT")
    version=$("${inside[@]}" mpirun --version 2> /dev/null | grep -om1 '[0-9]*\.[0-9]*' || :)
    printf '%d\n' "${version%%.*}"
}

# What a rankfile gives a rank: all processors, for naming one would pin the ranks of a host to it.
allProcessors() { printf '0-%d\n' "$(($(nproc --all) - 1))"; }

# Writes a rankfile: rank r runs on the r-th of the nodes that are given, separated by commas.
writeRankfile() {
    local file=$1 rank=0 node
    local -a named
    IFS=, read -ra named <<< "$2"
    for node in "${named[@]}"; do
        nodeIndex "$node" > /dev/null || refuse "--on '$node': the nodes are ${nodes[*]}"
        printf 'rank %d=%s slot=%s\n' "$rank" "$node" "$(allProcessors)"
        rank=$((rank + 1))
    done > "$file"
}
