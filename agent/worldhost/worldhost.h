// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inputsource.h"
#include "keptmemory.h"
#include "programend.h"
#include "rankstreams.h"
#include "worldwords.h"

#include "domain/clock.h"
#include "farm/repetition.h"
#include "world/bellwatch.h"
#include "world/segment.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::worldhost {

/// The ranks of worlds that this processor holds, from before their programs begin until what they have sent is with others: makes
/// or finds the memory that ranks of this host share, and carries messages to and from other hosts. The table is in
/// docs/worlds.md, "A rank's part". One thread.
class WorldHost {
public:
    struct Setup {
        ProcessorId self;
        std::vector<std::string> hosts; ///< of all processors, by number
        int input = -1;                 ///< standard input of the launch, for rank 0; -1: not here
        std::string folder = {};        ///< for what has been read of it
    };
    struct Ports {
        std::function<void(ProcessorId to, const WorldWord& word)> send;
        /// Runs something on this thread, soon. From any thread.
        std::function<void(std::function<void()>)> post;
        /// @return who leads the run, by what this processor knows
        std::function<ProcessorId()> leader;
        /// A processor has told what a program does; this one leads, or did.
        std::function<void(const ProgramShown&)> shown;
    };
    struct Callbacks {
        /// Called once, when no other program is the rank: with the path of the memory, or with the
        /// reason why there is none.
        std::function<void(Result<std::string> path)> joined;
        /// The program waits for a rank that will not come: it is to be ended, for this reason.
        std::function<void(std::string reason)> hopeless;
        /// It has not given the sign of life that it had promised: it is to be ended, for this reason.
        std::function<void(std::string reason)> hangs = {};
        /// The program may have asked for its output, of which its log is to have all.
        std::function<void(const std::shared_ptr<const world::Segment>&)> asks = {};
    };

    /// @param clock  outlives this object
    WorldHost(Setup setup, Ports ports, const Clock& clock);
    ~WorldHost();
    WorldHost(const WorldHost&) = delete;
    WorldHost& operator=(const WorldHost&) = delete;

    /// A program is to begin here as a rank, or to go on where one was lost that is not alive. Earlier starts of the world are
    /// over. Precondition: this processor holds the rank.
    /// @param rank       in the world
    /// @param callbacks  not called from inside this
    /// @param life       number of its attempt
    void join(const WorldStart& start, world::WorldRank rank, Callbacks callbacks,
              std::uint32_t life = 1);
    /// The program has ended, or will not begin: its callbacks are not called any more.
    void left(const WorldKey& key);
    /// The same of one that has ended well without having called MPI_Init.
    void leftOutside(const WorldKey& key);
    /// Standard input of the launch, for a program that is about to begin as rank 0: it has to open the path.
    Result<std::string> openInput(const WorldKey& key);
    /// What a program that has ended leaves to one that would go on in its place.
    /// @param end  how it has ended: not Succeeded
    Rest restOf(const WorldKey& key, const AttemptResult& end);
    /// How far the program has come with MPI; Outside where the memory is not there.
    [[nodiscard]] world::ProgramPhase phaseOf(const WorldKey& key) const;
    void receive(ProcessorId from, WorldWord word);
    /// Says what is due.
    /// @return whether anything was
    bool poll();

private:
    struct Part;

    void receive(ProcessorId from, const WorldKey& key, const MemoryWanted& word);
    void receive(ProcessorId from, const WorldKey& key, const Memory& word);
    void receive(ProcessorId from, const WorldKey& key, Records&& word);
    void receive(ProcessorId from, const WorldKey& key, const RecordsTaken& word);
    template <class Word>
    void receiveForStreams(ProcessorId from, const WorldKey& key, const Word& word);
    void receive(ProcessorId from, const WorldKey& key, const StreamWanted& word);
    void receive(ProcessorId from, const WorldKey& key, const Stretch& word);
    void receive(ProcessorId from, const WorldKey& key, const StretchTaken& word);
    void receive(ProcessorId from, const WorldKey& key, const StreamEnded& word);
    void receive(ProcessorId from, const WorldKey& key, const NotesTaken& word);
    void receive(ProcessorId from, const WorldKey& key, const Differs& word);
    void receive(ProcessorId from, const WorldKey& key, const Notes& word);
    void receive(ProcessorId from, const WorldKey& key, const InputWanted& word);
    void receive(ProcessorId from, const WorldKey& key, Input&& word);
    void receive(ProcessorId from, const WorldKey& key, const InsideMpi& word);
    void receive(ProcessorId from, const WorldKey& key, const EndedOutside& word);
    void receive(ProcessorId from, const WorldKey& key, const Hopeless& word);
    void receive(ProcessorId from, const WorldKey& key, ProgramShown&& word);
    void showProgram(Part& part, SteadyTime now);
    void lookAtCensus(const WorldKey& key);
    void lookAtPhase(Part& part);
    bool moveInput(const WorldKey& key, Part& part, SteadyTime now);
    bool answerInput();
    [[nodiscard]] const std::string& hostOf(ProcessorId processor) const;
    [[nodiscard]] ProcessorId keeperOf(const WorldStart& start) const;
    void makeMemory(Part& part);
    void begin(Part& part);
    void goOn(Part& part);
    void connect(Part& part);
    void watchBell(Part& part);
    bool endFormer(Part& part);
    void spread(const Part& part);
    void lookAround(const WorldKey& key);
    [[nodiscard]] bool isOvertaken(const WorldKey& key) const;
    void say(ProcessorId to, const WorldKey& key, auto word);

    Setup m_setup;
    Ports m_ports;
    const Clock& m_clock;
    std::map<WorldKey, std::unique_ptr<Part>> m_parts;
    KeptMemory m_kept;
    /// What other hosts have sent before this rank was to begin.
    std::map<WorldKey, std::vector<Records>> m_early;
    /// Where rank 0 is: which rank is inside MPI, and which one has ended and never was.
    struct Census {
        std::optional<std::pair<world::WorldRank, ProcessorId>> inside;
        std::optional<world::WorldRank> outside;
    };
    std::map<WorldKey, Census> m_censuses;
    InputSource m_input;
    struct InputQuestion {
        ProcessorId from;
        WorldKey key;
        std::uint64_t place = 0;
    };
    std::optional<InputQuestion> m_inputQuestion;          ///< that is not answered
    std::shared_ptr<int> m_life = std::make_shared<int>(); ///< posted work sees it expired
};

} // namespace tasuki::worldhost
