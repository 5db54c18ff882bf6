// SPDX-License-Identifier: GPL-3.0-or-later
#include "copywords.h"

#include "codec/domainfields.h"

#include <type_traits>

namespace tasuki::replica {

using codec::Is;

template <class A, Is<Lead> M>
void fields(A& a, M& m)
{
    a(m.place, m.release);
}

template <class A, Is<Begin> M>
void fields(A& a, M& m)
{
    a(m.run, m.original);
}

template <class A, Is<Take> M>
void fields(A& a, M& m)
{
    a(m.after);
}

template <class A, Is<Rows> M>
void fields(A& a, M& m)
{
    a(m.rows);
}

template <class A, Is<Promise> M>
void fields(A& a, M& m)
{
    a(m.published);
}

template <class A, Is<Farewell> M>
void fields(A& a, M& m)
{
    a(m.keep);
}

template <class A, Is<Led> M>
void fields(A& a, M& m)
{
    a(m.counts);
}

template <class A, Is<Have> M>
void fields(A& a, M& m)
{
    a(m.place, m.marks);
}

template <class A, Is<Stored> M>
void fields(A& a, M& m)
{
    a(m.upTo);
}

template <class A, Is<Unable> M>
void fields(A& a, M& m)
{
    a(m.reason);
}

template <class A, Is<CopyWord> M>
void fields(A& a, M& m)
{
    a(m.conversation, m.word);
}

template <class A, Is<RecordSight> M>
void fields(A& a, M& m)
{
    a(m.sees, m.latest, m.path);
}

bool isOfMaster(const CopyWord& word)
{
    constexpr std::size_t firstAnswer = 6;
    static_assert(
        std::is_same_v<std::variant_alternative_t<firstAnswer, decltype(CopyWord::word)>, Led>);
    return word.word.index() < firstAnswer;
}

std::string encode(const CopyWord& word) { return codec::encode(word); }

Result<CopyWord> decodeCopyWord(const std::string& bytes)
{
    CopyWord word;
    if (!codec::decode(bytes, word))
        return Error{.kind = ErrorKind::Protocol, .message = "malformed word on the record"};
    return word;
}

std::string encode(const RecordSight& sight) { return codec::encode(sight); }

Result<RecordSight> decodeRecordSight(const std::string& bytes)
{
    RecordSight sight;
    if (!codec::decode(bytes, sight))
        return Error{.kind = ErrorKind::Protocol,
                     .message = "malformed word of another processor on the record",
                     .remedy = "start the same version of tasuki-agent everywhere"};
    return sight;
}

} // namespace tasuki::replica
