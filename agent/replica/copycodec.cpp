// SPDX-License-Identifier: GPL-3.0-or-later
#include "copywords.h"

#include "codec/domainfields.h"

#include <type_traits>

namespace tasuki::replica {

using codec::Is;

void fields(auto& a, Is<Lead> auto& m) { a(m.place, m.release); }
void fields(auto& a, Is<Begin> auto& m) { a(m.run, m.original); }
void fields(auto& a, Is<Take> auto& m) { a(m.after); }
void fields(auto& a, Is<Rows> auto& m) { a(m.rows); }
void fields(auto& a, Is<Promise> auto& m) { a(m.published); }
void fields(auto& a, Is<Farewell> auto& m) { a(m.keep); }
void fields(auto& a, Is<Led> auto& m) { a(m.counts); }
void fields(auto& a, Is<Have> auto& m) { a(m.place, m.marks); }
void fields(auto& a, Is<Stored> auto& m) { a(m.upTo); }
void fields(auto& a, Is<Unable> auto& m) { a(m.reason); }
void fields(auto& a, Is<CopyWord> auto& m) { a(m.conversation, m.word); }
void fields(auto& a, Is<RecordSight> auto& m) { a(m.sees, m.latest, m.path); }

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
