// SPDX-License-Identifier: GPL-3.0-or-later
#include "copywords.h"

#include "record.pb.h"

#include <limits>
#include <utility>

namespace tasuki::replica {

namespace {

namespace w = wire::record;

Error badWord(std::string what)
{
    return {.kind = ErrorKind::Protocol,
            .message = "malformed word on the record: " + std::move(what)};
}

void put(EventId id, w::Id& out)
{
    out.set_epoch(id.epoch.value());
    out.set_sequence(id.sequence.value());
}

EventId take(const w::Id& in) { return {Epoch(in.epoch()), Sequence(in.sequence())}; }

void put(const RecordMark& mark, w::Mark& out)
{
    put(mark.id, *out.mutable_id());
    out.set_wall_us(mark.wallTime.time_since_epoch().count());
    out.set_monotonic_ns(mark.monotonic.count());
}

RecordMark take(const w::Mark& in)
{
    return {.id = take(in.id()),
            .wallTime = WallTime(std::chrono::microseconds(in.wall_us())),
            .monotonic = std::chrono::nanoseconds(in.monotonic_ns())};
}

void put(RecordPlace&& place, w::Place& out)
{
    out.set_host(std::move(place.host));
    out.set_path(std::move(place.path));
    out.set_original(place.original);
}

RecordPlace take(w::Place&& in)
{
    return {.host = std::move(*in.mutable_host()),
            .path = std::move(*in.mutable_path()),
            .original = in.original()};
}

/// One function a word, chosen by type.
struct Put {
    w::Word& out;

    void operator()(Lead&& word) const
    {
        put(std::move(word.place), *out.mutable_lead()->mutable_place());
        out.mutable_lead()->set_release(word.release);
    }
    void operator()(Led&& word) const { out.mutable_led()->set_counts(word.counts); }
    void operator()(Begin&& word) const
    {
        out.mutable_begin()->set_run(std::move(word.run.hex));
        put(std::move(word.original), *out.mutable_begin()->mutable_original());
    }
    void operator()(Have&& word) const
    {
        put(std::move(word.place), *out.mutable_have()->mutable_place());
        for (const RecordMark& mark : word.marks)
            put(mark, *out.mutable_have()->add_marks());
    }
    void operator()(Take&& word) const { put(word.after, *out.mutable_take()->mutable_after()); }
    void operator()(Rows&& word) const
    {
        w::Rows& rows = *out.mutable_rows();
        put(word.rows.after, *rows.mutable_after());
        put(word.rows.last, *rows.mutable_last());
        rows.set_bytes(std::move(word.rows.bytes));
    }
    void operator()(Promise&& word) const
    {
        put(word.published, *out.mutable_promise()->mutable_published());
    }
    void operator()(Stored&& word) const { put(word.upTo, *out.mutable_stored()->mutable_up_to()); }
    void operator()(Unable&& word) const
    {
        out.mutable_unable()->set_reason(std::move(word.reason));
    }
    void operator()(Farewell&& word) const { out.mutable_farewell()->set_keep(word.keep); }
};

Have take(w::Have&& in)
{
    Have have{.place = take(std::move(*in.mutable_place())), .marks = {}};
    for (const w::Mark& mark : in.marks())
        have.marks.push_back(take(mark));
    return have;
}

Result<Rows> take(w::Rows&& in)
{
    Rows word{{.after = take(in.after()),
               .last = take(in.last()),
               .bytes = std::move(*in.mutable_bytes())}};
    if (word.rows.last <= word.rows.after)
        return badWord("rows that end before they begin");
    return word;
}

} // namespace

bool isOfMaster(const CopyWord& word)
{
    constexpr std::size_t firstAnswer = 6;
    static_assert(
        std::is_same_v<std::variant_alternative_t<firstAnswer, decltype(CopyWord::word)>, Led>);
    return word.word.index() < firstAnswer;
}

std::string encode(CopyWord&& word)
{
    w::Word out;
    out.set_term(word.term);
    std::visit([&out](auto&& kind) { Put{out}(std::forward<decltype(kind)>(kind)); },
               std::move(word.word));
    return out.SerializeAsString();
}

Result<CopyWord> decodeCopyWord(const std::string& bytes)
{
    w::Word in;
    if (bytes.size() > std::size_t{std::numeric_limits<int>::max()} || !in.ParseFromString(bytes))
        return badWord("not one");
    CopyWord out{.term = in.term(), .word = Led{}};
    switch (in.word_case()) {
    case w::Word::kLead:
        out.word = Lead{.place = take(std::move(*in.mutable_lead()->mutable_place())),
                        .release = in.lead().release()};
        break;
    case w::Word::kLed: out.word = Led{in.led().counts()}; break;
    case w::Word::kBegin:
        out.word = Begin{.run = {std::move(*in.mutable_begin()->mutable_run())},
                         .original = take(std::move(*in.mutable_begin()->mutable_original()))};
        break;
    case w::Word::kHave: out.word = take(std::move(*in.mutable_have())); break;
    case w::Word::kTake: out.word = Take{take(in.take().after())}; break;
    case w::Word::kRows: {
        Result<Rows> rows = take(std::move(*in.mutable_rows()));
        if (!rows)
            return rows.error();
        out.word = std::move(*rows);
        break;
    }
    case w::Word::kPromise: out.word = Promise{take(in.promise().published())}; break;
    case w::Word::kStored: out.word = Stored{take(in.stored().up_to())}; break;
    case w::Word::kUnable:
        out.word = Unable{std::move(*in.mutable_unable()->mutable_reason())};
        break;
    case w::Word::kFarewell: out.word = Farewell{in.farewell().keep()}; break;
    default: return badWord("of no known kind");
    }
    return out;
}

std::string encode(const RecordSight& sight)
{
    w::Sight out;
    out.set_sees(sight.sees);
    if (sight.latest)
        put(*sight.latest, *out.mutable_latest());
    out.set_path(sight.path);
    return out.SerializeAsString();
}

Result<RecordSight> decodeRecordSight(const std::string& bytes)
{
    w::Sight in;
    if (!in.ParseFromString(bytes))
        return Error{.kind = ErrorKind::Protocol,
                     .message = "malformed word of another processor on the record",
                     .remedy = "start the same version of tasuki-agent everywhere"};
    RecordSight sight{.sees = in.sees(), .latest = {}, .path = std::move(*in.mutable_path())};
    if (in.has_latest())
        sight.latest = take(in.latest());
    return sight;
}

} // namespace tasuki::replica
