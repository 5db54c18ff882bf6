// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldtables.h"

#include "jsonfields.h"
#include "linetext.h"

#include "domain/rankname.h"
#include "domain/visibletext.h"

namespace tasuki {

namespace {

using Json = JsonFields::Json;

constexpr int worldWidth = -16;
constexpr int stateWidth = -10;
constexpr int hostWidth = -16;
constexpr int programWidth = -28;

std::string wide(const std::string& text, int width)
{
    return formatted("%*s ", width, text.c_str());
}

const char* stateWord(ProgramState state)
{
    switch (state) {
    case ProgramState::Outside: return "outside";
    case ProgramState::Running: return "computing";
    case ProgramState::Waiting: return "waiting";
    case ProgramState::Over: return "over";
    }
    return "";
}

const WorldSeat& seatOf(const RunHistory& history, TaskId id)
{
    return *history.state().task(id).task.settings->seat;
}

std::string worldOf(const RunHistory& history, TaskId id)
{
    const auto& links = history.state().task(id).task.links;
    return links ? links->label : std::string();
}

std::string hostOf(const RunHistory& history, TaskId id)
{
    const auto& processors = history.state().processors();
    const auto found = processors.find(seatOf(history, id).rank);
    return found == processors.end() ? std::string() : found->second.host;
}

std::uint32_t rankInWorld(const RunHistory& history, TaskId id)
{
    return rankLabel(history.state().system().layout(), seatOf(history, id).rank).index;
}

} // namespace

std::string programText(const RankProgram& program)
{
    if (program.replayed)
        return "replays, " + std::to_string(*program.replayed) + " %";
    switch (program.state) {
    case ProgramState::Outside: return "before MPI_Init";
    case ProgramState::Running: return "computes";
    case ProgramState::Waiting: return "waits in " + program.call;
    case ProgramState::Over: return "after MPI_Finalize";
    }
    return {};
}

std::string pointText(const RankProgram& program)
{
    if (program.pointAge)
        return std::to_string(program.pointAge->count() / 1000) + " s ago";
    return program.noPoint == PointObstacle::None ? std::string()
                                                  : "none: " + textOf(program.noPoint).text();
}

std::string worldHeading()
{
    return wide("world", worldWidth) + "rank   task " + wide("state", stateWidth)
        + wide("host", hostWidth) + wide("program", programWidth)
        + "messages/s    messages  restart point\n";
}

std::string worldRow(const RunHistory& history, TaskId id, const RankProgram* program)
{
    std::string row = wide(visible(worldOf(history, id)), worldWidth)
        + formatted("%4u %6u ", rankInWorld(history, id), id.value())
        + wide(std::string(taskStateName(history.state().task(id).state)), stateWidth)
        + wide(visible(hostOf(history, id)), hostWidth);
    if (program == nullptr)
        return row + "-\n";
    const std::string point = pointText(*program);
    return row + wide(visible(programText(*program)), programWidth)
        + formatted("%10llu %11llu", static_cast<unsigned long long>(program->messagesPerSecond),
                    static_cast<unsigned long long>(program->messages))
        + (point.empty() ? std::string() : "  " + visible(point)) + '\n';
}

std::string worldJson(const RunHistory& history, TaskId id, const RankProgram* program)
{
    Json json;
    json["world"] = worldOf(history, id);
    json["world_rank"] = rankInWorld(history, id);
    json["rank"] = seatOf(history, id).rank.value();
    json["task"] = id.value();
    json["state"] = taskStateName(history.state().task(id).state);
    json["host"] = hostOf(history, id);
    json["program"] = program == nullptr ? Json() : Json(stateWord(program->state));
    if (program != nullptr) {
        json["call"] = program->call.empty() ? Json() : Json(program->call);
        json["messages"] = program->messages;
        json["bytes"] = program->bytes;
        json["messages_per_second"] = program->messagesPerSecond;
        if (program->replayed)
            json["replayed_percent"] = *program->replayed;
        json["restart_points"] = program->restartPoints;
        json["restart_point_age_s"] = program->pointAge
            ? Json(static_cast<double>(program->pointAge->count()) / 1000.0)
            : Json();
        json["no_restart_point"] = program->noPoint == PointObstacle::None
            ? Json()
            : Json(textOf(program->noPoint).text());
    }
    return JsonFields::line(json);
}

} // namespace tasuki
