// SPDX-License-Identifier: GPL-3.0-or-later
#include "runmodels.h"

namespace tasuki {

RunModels::RunModels(std::unique_ptr<SessionSource> source, const Clock& clock)
    : session(std::move(source), clock),
      drafts(session),
      tasks(session, history, &drafts),
      events(session),
      processors(session, meter),
      system(session, meter),
      failovers(session),
      alarms(session),
      summary(session, meter),
      details(session, history, selection)
{
    session.addSink(history);
    session.addSink(meter);
}

RunModels::~RunModels()
{
    session.removeSink(history);
    session.removeSink(meter);
}

} // namespace tasuki
