// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldwords.h"

#include "codec/domainfields.h"
#include "world/segment.h"

namespace tasuki {

constexpr ProgramState lastOf(codec::Of<ProgramState>) { return ProgramState::Over; }
constexpr PointObstacle lastOf(codec::Of<PointObstacle>) { return PointObstacle::Full; }

template <class A, codec::Is<RankProgram> M>
void fields(A& a, M& m)
{
    a(m.rank, m.state, m.call, m.messages, m.bytes, m.messagesPerSecond, m.replayed,
      m.restartPoints, m.pointAge, m.noPoint);
}

} // namespace tasuki

namespace tasuki::worldhost {

using codec::Is;

template <class A, Is<WorldKey> M>
void fields(A& a, M& m)
{
    a(m.world, m.generation);
}

template <class A, Is<MemoryWanted> M>
void fields(A&, M&)
{}

template <class A, Is<Memory> M>
void fields(A& a, M& m)
{
    a(m.path);
}

template <class A, Is<Records> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.bytes);
}

template <class A, Is<RecordsTaken> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.bytes);
}

template <class A, Is<StreamWanted> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.position, m.life);
}

template <class A, Is<Stretch> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.position, m.bytes, m.skips);
}

template <class A, Is<StretchTaken> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.position, m.stays, m.needed);
    a.require(m.needed <= m.position);
}

template <class A, Is<StreamEnded> M>
void fields(A& a, M& m)
{
    a(m.from, m.to, m.position);
}

template <class A, Is<Differs> M>
void fields(A& a, M& m)
{
    a(m.rank);
}

template <class A, Is<Notes> M>
void fields(A& a, M& m)
{
    a(m.rank, m.stream, m.ranks, m.logBytes, m.makes, m.position, m.bytes, m.skips, m.stays,
      m.needed);
    a.require(m.stream <= world::Segment::outputs && m.ranks >= 1
              && m.ranks <= world::Segment::mostRanks && m.rank < m.ranks && m.logBytes != 0
              && m.logBytes % world::Log::chunkBytes == 0
              && m.logBytes <= world::Segment::mostLogBytes);
}

template <class A, Is<NotesTaken> M>
void fields(A& a, M& m)
{
    a(m.rank, m.stream, m.position, m.again);
}

template <class A, Is<InputWanted> M>
void fields(A& a, M& m)
{
    a(m.from);
}

template <class A, Is<Input> M>
void fields(A& a, M& m)
{
    a(m.from, m.bytes, m.end);
}

template <class M>
concept IsOfRank = Is<M, InsideMpi> || Is<M, EndedOutside>;

template <class A, IsOfRank M>
void fields(A& a, M& m)
{
    a(m.rank);
}

template <class A, Is<Hopeless> M>
void fields(A& a, M& m)
{
    a(m.outside);
}

template <class A, Is<ProgramShown> M>
void fields(A& a, M& m)
{
    a(m.program, m.life, m.replayTook);
}

template <class A, Is<WorldWord> M>
void fields(A& a, M& m)
{
    a(m.key, m.word);
}

std::string encode(const WorldWord& word) { return codec::encode(word); }

Result<WorldWord> decodeWorldWord(const std::string& bytes)
{
    WorldWord word;
    if (!codec::decode(bytes, word))
        return Error{.kind = ErrorKind::Protocol, .message = "malformed word about a world"};
    return word;
}

} // namespace tasuki::worldhost
