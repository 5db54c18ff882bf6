// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilewriter.h"

#include "eventencoder.h"
#include "namewatch.h"
#include "newrunfile.h"
#include "ownerclaim.h"
#include "recordopening.h"
#include "recordsave.h"
#include "schema.h"
#include "writercheck.h"

#include <atomic>
#include <mutex>
#include <system_error>
#include <utility>

namespace tasuki {

class RunFileWriter::Impl {
public:
    explicit Impl(OpenedRecord record) : m_record(std::move(record)) {}

    Result<void> prepare()
    {
        if (auto prepared = prepareStatements(); !prepared)
            return prepared;
        auto last = database().integer("SELECT max(id) FROM event");
        if (!last)
            return last.error();
        if (*last < 0)
            return about(database().path(), ErrorKind::Damaged,
                         "is damaged: an event has a negative id");
        m_last = eventIdOf(*last);
        m_name.emplace(m_record->named, m_record->shipping ? &*m_record->shipping : nullptr);
        m_watch.emplace([this] { look(); });
        return {};
    }

    Result<void> append(std::span<const Event> events)
    {
        const std::scoped_lock lock(m_mutex);
        if (auto allowed = checkAllowed(); !allowed)
            return allowed;
        EventId last = m_last;
        for (const Event& event : events) {
            if (event.id <= last || event.id.epoch.value() >= epochLimit
                || event.id.sequence.value() >= sequenceLimit)
                return about(database().path(), ErrorKind::Damaged,
                             "event ids are not ascending or too large");
            last = event.id;
        }
        if (events.empty())
            return {};
        auto written = write(events);
        if (!written) {
            database().rollBack();
            m_encoder->forget();
            return written;
        }
        m_encoder->keep();
        m_last = last;
        return {};
    }

    Result<void> close()
    {
        m_watch.reset();
        const std::scoped_lock lock(m_mutex);
        if (!m_record)
            return {};
        if (m_revoked) {
            letGo();
            return {};
        }
        static_cast<void>(isMine());
        rescue(m_name->lookTwice());
        if (m_lost)
            database().leaveLog();
        dropStatements();
        auto closed = m_record->shipping && !m_lost
            ? m_record->shipping->close(m_record->file.database)
            : Result<void>();
        m_record.reset();
        return closed;
    }

    void revoke() { m_revoked = true; }

    void drop()
    {
        revoke();
        m_watch.reset();
        const std::scoped_lock lock(m_mutex);
        letGo();
    }

    [[nodiscard]] std::optional<Trouble> trouble() const
    {
        const std::scoped_lock lock(m_troubleMutex);
        return m_trouble;
    }
    [[nodiscard]] const RunId& run() const { return m_run; }
    [[nodiscard]] WriterToken token() const { return m_token; }
    [[nodiscard]] EventId lastEvent() const { return m_last; }

private:
    Database& database() { return m_record->file.database; }

    void letGo()
    {
        if (!m_record)
            return;
        database().leaveLog();
        dropStatements();
        m_record.reset();
    }

    void dropStatements()
    {
        m_encoder.reset();
        m_fence.reset();
    }

    Result<void> checkAllowed() const
    {
        if (m_lost)
            return *m_lost;
        if (m_revoked || !m_record)
            return Error{.message = "is not written by this process any more"};
        return {};
    }

    Result<void> prepareStatements()
    {
        dropStatements();
        if (auto set = database().execute(m_record->shipping ? shippedPragmas : writerPragmas);
            !set)
            return set;
        auto encoder = EventEncoder::prepare(database());
        if (!encoder)
            return encoder.error();
        m_encoder.emplace(std::move(*encoder));
        auto fence = TokenFence::prepare(database(), m_token);
        if (!fence)
            return fence.error();
        m_fence.emplace(std::move(*fence));
        return {};
    }

    Result<void> write(std::span<const Event> events)
    {
        if (auto begun = database().execute("BEGIN IMMEDIATE"); !begun)
            return begun;
        const auto newer = m_fence->hold(database());
        if (!newer)
            return newer.error();
        if (*newer)
            return loseTo(**newer);
        for (const Event& event : events)
            if (auto inserted = m_encoder->insert(event); !inserted)
                return inserted;
        if (auto allowed = checkAllowed(); !allowed)
            return allowed;
        if (!m_record->shipping)
            return commitInPlace();
        // First: who reads the record on this node must not see what others would never know of.
        if (auto shipped = m_record->shipping->ship(database(), m_last); !shipped) {
            loseIfOthers(shipped);
            return shipped;
        }
        auto committed = database().execute("COMMIT");
        if (!committed)
            m_record->shipping->takeBack();
        return committed;
    }

    /// A successor claims the record before it copies it. So what was committed while nobody claimed it and it
    /// stood under its name is in the copy; of the rest nobody is told.
    Result<void> commitInPlace()
    {
        auto done = database().execute("COMMIT");
        if (done) {
            done = checkInPlace();
            loseIfOthers(done);
        }
        return done;
    }

    /// In this order: a claim that is given back by now has left a newer record under the name.
    Result<void> checkInPlace()
    {
        if (auto unclaimed = checkUnclaimed(m_record->named); !unclaimed)
            return unclaimed;
        if (m_name->lookOnce() != NameState::Others)
            return {};
        const auto there = recordUnder(m_record->named);
        if (there && there->run == m_run && there->token > m_token)
            return elsewhere(there->token);
        return {};
    }

    Error loseTo(WriterToken newer)
    {
        Error error = elsewhere(newer);
        loseIfOthers(error);
        return error;
    }

    Error elsewhere(WriterToken newer)
    {
        m_succeeded = goesOnFrom(newer);
        return goesOnElsewhere(newer, m_record->named);
    }

    /// By whoever claims the record, or has given the claim back and left a newer one.
    [[nodiscard]] bool isSucceeded() const
    {
        if (const auto claimant = OwnerClaim::claimant(m_record->named))
            return goesOnFrom(*claimant);
        const auto there = recordUnder(m_record->named);
        return there && there->run == m_run && goesOnFrom(there->token);
    }

    [[nodiscard]] bool goesOnFrom(WriterToken newer) const
    {
        return newer.epoch == m_token.epoch && newer > m_token;
    }

    /// On the watch's thread.
    void look()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_revoked || !m_record)
            return;
        // That a beat fails shows with the next events.
        if (isMine() && m_record->shipping)
            static_cast<void>(m_record->shipping->beat());
        rescue(m_name->look());
    }

    bool isMine()
    {
        if (!m_lost)
            loseIfOthers(m_record->shipping ? m_record->shipping->checkOwner() : checkInPlace());
        if (m_lost)
            return false;
        if (const auto newer = m_fence->look(database()); newer && *newer)
            static_cast<void>(loseTo(**newer));
        return !m_lost;
    }

    /// Another agent goes on with the run.
    void loseIfOthers(const Result<void>& owned)
    {
        if (owned || owned.error().kind != ErrorKind::InUse)
            return;
        m_lost = owned.error();
        m_succeeded = m_succeeded || isSucceeded();
        tell({.words = lostWords(), .fatal = true, .succeeded = m_succeeded});
    }

    [[nodiscard]] std::string lostWords() const
    {
        return m_record->named.native() + ": " + m_lost->message
            + (m_lost->message.starts_with("in use") ? ", which goes on with this run" : "");
    }

    /// Of what was shipped here since the other one began nothing is in its record.
    void saveWhatIsLost()
    {
        const std::filesystem::path to = nameToSave(m_record->named);
        if (m_lostIsSaved || !m_record->shipping || !saveRecord(database(), to))
            return;
        m_lostIsSaved = true;
        tell({.words = lostWords() + "; what was recorded here is in " + to.native(),
              .fatal = true,
              .succeeded = m_succeeded});
    }

    void rescue(NameState state)
    {
        if (m_lost) {
            saveWhatIsLost();
            return;
        }
        if (state == NameState::Mine)
            return;
        const std::string what = m_record->named.native()
            + (state == NameState::Gone ? " was deleted" : " was replaced by another file")
            + " while the run went on";
        std::optional<Error> failure;
        for (const std::filesystem::path& to : namesToSave(m_record->named)) {
            if (const auto moved = moveTo(to)) {
                tell({.words = what + "; its record is " + to.native()});
                return;
            } else if (!failure) {
                failure = moved.error();
            }
        }
        tell({.words = what + ", and its record cannot be saved: "
                  + (failure ? failure->text() : std::string("no place is left"))});
    }

    Result<void> moveTo(const std::filesystem::path& to)
    {
        auto moved = moveRecord(*m_record, to);
        if (!moved)
            return moved.error();
        const std::filesystem::path old = m_record->named;
        dropStatements();
        m_record.reset();
        if (std::error_code error; !std::filesystem::exists(old, error))
            removeSideFiles(old);
        m_record.emplace(std::move(*moved));
        m_name.emplace(m_record->named, m_record->shipping ? &*m_record->shipping : nullptr);
        return prepareStatements();
    }

    void tell(Trouble trouble)
    {
        const std::scoped_lock lock(m_troubleMutex);
        m_trouble = std::move(trouble);
    }

    mutable std::mutex m_troubleMutex;
    std::optional<Trouble> m_trouble; ///< guarded by m_troubleMutex

    std::mutex m_mutex; ///< guards all that follows but constants, m_revoked and m_watch
    std::optional<OpenedRecord> m_record; ///< none: closed
    const RunId m_run = m_record->file.run;
    const WriterToken m_token = m_record->token;
    std::atomic<bool> m_revoked = false;
    std::optional<NameLook> m_name;
    std::optional<EventEncoder> m_encoder;
    std::optional<TokenFence> m_fence;
    EventId m_last;
    std::optional<Error> m_lost; ///< who writes the record now
    bool m_succeeded = false;    ///< in the same epoch
    bool m_lostIsSaved = false;
    std::optional<NameWatch> m_watch; ///< the last one: its thread uses the others
};

Result<RunFileWriter> RunFileWriter::of(Result<OpenedRecord> record)
{
    if (!record)
        return record.error();
    // For people's queries alone: a file in which it fails, for want of space perhaps, still works.
    static_cast<void>(completeSchema(record->file.database));
    auto impl = std::make_unique<Impl>(std::move(*record));
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RunFileWriter(std::move(impl));
}

Result<RunFileWriter> RunFileWriter::create(const std::filesystem::path& path, const RunId& run)
{
    return of(createRecord(path, run));
}

Result<RunFileWriter> RunFileWriter::open(const std::filesystem::path& path,
                                          std::chrono::milliseconds patience,
                                          const OwnerWaiting& waiting)
{
    return of(openRecord(path, {.patience = patience, .waiting = waiting}));
}

Result<RunFileWriter> RunFileWriter::succeed(const std::filesystem::path& path,
                                             const Successor& successor)
{
    return of(openRecord(path,
                         {.token = TokenWish::succeedIn(successor.epoch),
                          .run = successor.run,
                          .patience = std::chrono::milliseconds::zero(),
                          .breaks = successor.breaks}));
}

RunFileWriter::RunFileWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunFileWriter::RunFileWriter(RunFileWriter&&) noexcept = default;

RunFileWriter& RunFileWriter::operator=(RunFileWriter&& other) noexcept
{
    if (m_impl)
        static_cast<void>(m_impl->close());
    m_impl = std::move(other.m_impl);
    return *this;
}

RunFileWriter::~RunFileWriter()
{
    if (m_impl)
        static_cast<void>(m_impl->close());
}

Result<void> RunFileWriter::append(std::span<const Event> events) { return m_impl->append(events); }

std::optional<RunFileWriter::Trouble> RunFileWriter::trouble() const { return m_impl->trouble(); }

void RunFileWriter::revoke() { m_impl->revoke(); }

void RunFileWriter::drop() { m_impl->drop(); }

Result<void> RunFileWriter::close() { return m_impl->close(); }

const RunId& RunFileWriter::run() const { return m_impl->run(); }

WriterToken RunFileWriter::token() const { return m_impl->token(); }

EventId RunFileWriter::lastEvent() const { return m_impl->lastEvent(); }

} // namespace tasuki
