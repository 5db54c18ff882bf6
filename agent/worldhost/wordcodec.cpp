// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldwords.h"

#include "codec/domainfields.h"
#include "world/segment.h"

namespace tasuki {

constexpr ProgramState lastOf(codec::Of<ProgramState>) { return ProgramState::Over; }
constexpr PointObstacle lastOf(codec::Of<PointObstacle>) { return PointObstacle::Full; }

void fields(auto& a, codec::Is<RankProgram> auto& m)
{
    a(m.rank, m.state, m.call, m.messages, m.bytes, m.messagesPerSecond, m.replayed,
      m.restartPoints, m.pointAge, m.noPoint);
}

} // namespace tasuki

namespace tasuki::worldhost {

using codec::Is;

void fields(auto& a, Is<WorldKey> auto& m) { a(m.world, m.generation); }
void fields(auto&, Is<MemoryWanted> auto&) {}
void fields(auto& a, Is<Memory> auto& m) { a(m.path); }
void fields(auto& a, Is<Records> auto& m) { a(m.from, m.to, m.bytes); }
void fields(auto& a, Is<RecordsTaken> auto& m) { a(m.from, m.to, m.bytes); }
void fields(auto& a, Is<StreamWanted> auto& m) { a(m.from, m.to, m.position, m.life); }
void fields(auto& a, Is<Stretch> auto& m) { a(m.from, m.to, m.position, m.bytes, m.skips); }

void fields(auto& a, Is<StretchTaken> auto& m)
{
    a(m.from, m.to, m.position, m.stays, m.needed);
    a.require(m.needed <= m.position);
}

void fields(auto& a, Is<StreamEnded> auto& m) { a(m.from, m.to, m.position); }
void fields(auto& a, Is<Differs> auto& m) { a(m.rank); }

void fields(auto& a, Is<Notes> auto& m)
{
    a(m.rank, m.stream, m.ranks, m.logBytes, m.makes, m.position, m.bytes, m.skips, m.stays,
      m.needed);
    a.require(m.stream <= world::Segment::outputs && m.ranks >= 1
              && m.ranks <= world::Segment::mostRanks && m.rank < m.ranks && m.logBytes != 0
              && m.logBytes % world::Log::chunkBytes == 0
              && m.logBytes <= world::Segment::mostLogBytes);
}

void fields(auto& a, Is<NotesTaken> auto& m) { a(m.rank, m.stream, m.position, m.again); }
void fields(auto& a, Is<InputWanted> auto& m) { a(m.from); }
void fields(auto& a, Is<Input> auto& m) { a(m.from, m.bytes, m.end); }

template <class M>
concept IsOfRank = Is<M, InsideMpi> || Is<M, EndedOutside>;

void fields(auto& a, IsOfRank auto& m) { a(m.rank); }
void fields(auto& a, Is<Hopeless> auto& m) { a(m.outside); }
void fields(auto& a, Is<ProgramShown> auto& m) { a(m.program, m.life, m.replayTook); }
void fields(auto& a, Is<WorldWord> auto& m) { a(m.key, m.word); }

std::string encode(const WorldWord& word) { return codec::encode(word); }

Result<WorldWord> decodeWorldWord(const std::string& bytes)
{
    WorldWord word;
    if (!codec::decode(bytes, word))
        return Error{.kind = ErrorKind::Protocol, .message = "malformed word about a world"};
    return word;
}

} // namespace tasuki::worldhost
