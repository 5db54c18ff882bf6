// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/messages.h"

namespace tasuki {

/// Who of a processor takes a message: the table is in docs/farm.md, "The farm on the tree".
struct MessageRoute {
    bool worker = false;
    bool groupScheduler = false;
    bool master = false;
    bool output = false;  ///< the master's post: output of a task
    bool printed = false; ///< how much of the output of tasks is printed
    bool record = false;  ///< what is said of copies of the record
    bool world = false;   ///< the host of ranks of worlds
    bool end = false;     ///< the worker group's post: nobody is led any more
    bool operator==(const MessageRoute&) const = default;
};

/// A processor as it gets a message.
struct MessageScene {
    bool ofRun = true;           ///< the message is of the same run
    bool fromMaster = false;     ///< by the view
    bool leads = false;          ///< this processor leads the farm
    bool groupScheduler = false; ///< it is one
};

MessageRoute routeOf(const farm::Envelope& envelope, const MessageScene& scene);

} // namespace tasuki
