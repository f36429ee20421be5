// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/parallel.h"
#include "core/ingest/assembly/assemble.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/kineto/event_pipeline.h"
#include "core/ingest/kineto/identity.h"
#include "core/ingest/load.h"

namespace rankscope {
namespace {

std::int64_t modifiedAt(const std::string& path) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    return error ? 0 : time.time_since_epoch().count();
}

/// First start to last end over host threads and streams. The profiler's own spans may be absurd.
TimeSpan windowOf(const std::vector<Track>& tracks) {
    TimeSpan window{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const Track& track : tracks) {
        if ((track.kind == TrackKind::CpuThread || track.kind == TrackKind::Stream) && track.slices.size() > 0) {
            window.start_ns = std::min(window.start_ns, track.slices.start_ns.front());
            window.end_ns = std::max(window.end_ns, *std::ranges::max_element(track.slices.end_ns));
        }
    }
    return window.start_ns <= window.end_ns ? window : TimeSpan{};
}

/// What went wrong where no events came out of a file that is a trace.
Error noEvents(const std::string& name, const Health& health, const std::optional<std::string>& damage) {
    std::string cause = (damage ? *damage + "; " : std::string()) + "holds no complete events";
    if (health.skipped > 0) {
        cause += "; " + std::to_string(health.skipped) + " events could not be read, the first at byte " +
                 std::to_string(health.parse_issues.front().byte_offset) + " (" + health.parse_issues.front().cause +
                 ")";
    }
    return {name, std::nullopt, std::move(cause)};
}

/// Takes the identity of the trace from the top-level keys, and says in its health what is not believed of them.
TimeNs readKeys(const FileSource& file, const ReadFile& content, RankTrace& trace) {
    IdentityReport report = readMetadata(content.metadata, trace);
    const TimeNs base = baseTime(content.metadata, report.bounds);
    for (const PartialTrace& part : content.parts) {
        report.bounds.add(part.out_of_bounds);
    }
    trace.health.notes = report.bounds.notes(file.label());
    for (const std::string& note : report.notes) {
        trace.health.notes.push_back(file.label() + ": " + note + ".");
    }
    return base;
}

Result<RankTrace> readTrace(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                            LoadObserver& observer, const std::stop_token& stop) {
    // The place for an index on disk that makes the second opening instant: what it would bring back is the RankTrace
    // as it stands at the end of this function, keyed by the file's path, size and time of change.
    const unsigned threads = threadCount(options.threads);
    stream.stopWhen(stop);
    Result<ReadFile> read = readEvents(
        stream, file.name(), threads,
        [&](std::uint64_t disk, std::uint64_t json) { observer.fileProgress(0, disk, file.bytes, json); }, stop);
    if (read.cancelled()) {
        return Cancelled{};
    }
    if (!read.ok()) {
        return read.error();
    }
    ReadFile content = std::move(read).value();
    RankTrace trace;
    const TimeNs base = readKeys(file, content, trace);
    LinkInput links =
        assemble(std::move(content.parts), base, {options.first_step, options.last_step}, threads, trace, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    if (trace.health.slices == 0) {
        return noEvents(file.name(), trace.health, stream.damage());
    }
    linkTrace(std::move(links), threads, trace, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    trace.window = windowOf(trace.tracks);
    trace.health.truncated = content.truncated;
    if (content.truncated) {
        trace.health.notes.push_back("The file ends before it should (" +
                                     stream.damage().value_or("the event array is not closed") +
                                     "); what came before the end is shown.");
    }
    guessIdentity(file, trace);
    trace.files.push_back({file.path, file.member, file.bytes, content.json_bytes, modifiedAt(file.path), trace.window,
                           std::make_shared<const SeekIndex>(stream.seekIndex())});
    observer.fileProgress(0, file.bytes, file.bytes, content.json_bytes);
    return trace;
}

/// What `read` gives, or the error that it throws: what one file takes costs that file, and not the program.
template <class Read>
Result<RankTrace> orError(const FileSource& file, const Read& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return Error{file.name(), std::nullopt, "out of memory while reading this file"};
    } catch (const std::length_error&) {  // of a vector or string beyond what there can be
        return Error{file.name(), std::nullopt, "out of memory while reading this file"};
    } catch (const std::exception& error) {
        return Error{file.name(), std::nullopt, std::string("cannot be read: ") + error.what()};
    }
}

}  // namespace

Result<RankTrace> loadFile(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                           std::stop_token stop) {
    return orError(file, [&]() -> Result<RankTrace> {
        Result<std::unique_ptr<ByteStream>> opened = openByteStream(file);
        return opened.ok() ? loadStream(*opened.value(), file, options, observer, std::move(stop))
                           : Result<RankTrace>(opened.error());
    });
}

Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                             LoadObserver& observer, std::stop_token stop) {
    return orError(file, [&] { return readTrace(stream, file, options, observer, stop); });
}

}  // namespace rankscope
