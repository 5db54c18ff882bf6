// SPDX-License-Identifier: GPL-3.0-or-later
// Only there to be compiled with the headers that all tests share.
