// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/helpdialogs.h"

class QMenuBar;

namespace tasuki {

class MainWindow;

/// @return the menus of a window as it is now; entries that need an opened run are disabled when
///         there is none
QMenuBar* makeMenus(MainWindow& window);

/// @return all actions of menus by menu, for the page of shortcuts
QList<ShortcutsDialog::Group> shortcutGroups(const QMenuBar& menus);

} // namespace tasuki
