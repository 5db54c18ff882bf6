# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What commands that make and enter bare Debian systems have in common. To be sourced.

# Gives a root what a running system has. For process 1 of namespaces of its own: the mounts end
# with them.
furnish() {
    local root=$1 node
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys" 2> /dev/null || mount --rbind /sys "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for node in null zero full random urandom tty; do
        : > "$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    # As the installer does; without it every look at the own name waits for a name server.
    printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(uname -n)" > "$root/etc/hosts"
}

# Becomes a command in a furnished root: enter ROOT PROXY DIRECTORY COMMAND...
enter() {
    local root=$1 proxy=$2 directory=$3
    shift 3
    # shellcheck disable=SC2016  # for the inner shell
    exec chroot "$root" /usr/bin/env -i HOME=/root USER=root LOGNAME=root TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${proxy:+"http_proxy=$proxy"} \
        /bin/bash -c 'cd "$1" && shift && "$@"' root "$directory" "$@" < /dev/null
}

# Prints where Debian systems come from; nothing when that is not known.
debianMirror() {
    local mirror=${TASUKI_DEBIAN_MIRROR-}
    if [[ -z $mirror ]]; then
        # shellcheck disable=SC2016  # apt's own placeholders
        mirror=$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' \
            'Created-By: Packages' | awk '$1 == "Debian" && $2 !~ /-/ { print $3; exit }')
    fi
    printf '%s' "$mirror"
}

# Prints what apt asks for files instead of the mirror; nothing when it asks the mirror.
aptProxy() {
    local proxy
    unset proxy
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    printf '%s' "${proxy-${http_proxy-}}"
}

# Prints what keeps systems from being made and entered here; nothing when nothing does.
hindrance() {
    local tool
    command -v apt-get > /dev/null || { echo 'this is not a Debian system: there is no apt-get'; return; }
    ((EUID == 0)) || { echo 'making and entering a system needs root'; return; }
    for tool in "$@" unshare chroot; do
        command -v "$tool" > /dev/null || { echo "$tool is not installed"; return; }
    done
    unshare --mount --pid --fork true 2> /dev/null || echo 'namespaces cannot be made here'
}

# Runs a program in namespaces of its own for mounts and processes: when it ends, or the caller
# does, nothing of it is left. In the background, so that signals are taken at once; $child is it. With
# $isolation=--net it has no network.
child='' isolation=''
contained() {
    unshare ${isolation:+"$isolation"} --mount --pid --fork --kill-child --mount-proc "$@" &
    child=$!
    wait "$child"
    local status=$?
    child=''
    return "$status"
}

# Ends it before its time, with all that is in it: unshare lets no gentler signal come through.
endContained() {
    [[ -n $child ]] || return 0
    kill -KILL "$child" 2> /dev/null
    wait "$child" 2> /dev/null
    child=''
}
