// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/digest/digest_file.h"
#include "core/ingest/assembly/assemble.h"
#include "core/ingest/assembly/keep_steps.h"
#include "core/ingest/assembly/ranks_of_file.h"
#include "core/ingest/files/batch_cutter.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/content_hash.h"
#include "core/ingest/files/front_stream.h"
#include "core/ingest/files/holds_digest.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"
#include "core/ingest/kineto/event_pipeline.h"
#include "core/ingest/kineto/foreign_events.h"
#include "core/ingest/kineto/identity.h"
#include "core/ingest/load.h"
#include "core/ingest/nsight/nsight.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "core/ingest/perfetto/perfetto.h"
#include "core/trace/trace_format.h"

namespace rankscope {
namespace {

constexpr const char* kNoEvents = "contains no complete events";

/// Whether a trace that begins so is of the example of NCCL's profiler plugins, if it has no slices.
bool isOfNcclPlugin(std::string_view front) {
    return front.find("\"CommHash\"") != std::string_view::npos && front.find("\"COLL\"") != std::string_view::npos;
}

/// What went wrong if a trace file gave no events.
Error noEvents(const FileSource& file, const Health& health, const ReadFile& events) {
    const std::string name = file.name();
    const std::optional<std::string>& damage = events.damage;
    if (events.is_of_nccl_plugin) {
        return {name, std::nullopt,
                "is a trace of a profiler plugin of NCCL (its calls and proxies), without the job's GPU work; record "
                "the job with torch.profiler"};
    }
    std::string cause = (damage ? *damage + "; " : std::string()) + "contains no complete events";
    if (health.skipped > 0) {
        cause += "; " + formatCounted(health.skipped, "event") + " could not be read, the first at byte " +
                 std::to_string(health.parse_issues.front().byte_offset) + " (" + health.parse_issues.front().cause +
                 ")";
    }
    return {name, std::nullopt, std::move(cause)};
}

/// Reads the identity of the file from the top-level keys, and notes rejected values in the health.
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

/// The data that all ranks of a file share.
struct FileContent {
    const FileSource& file;
    RankTrace keys{};  ///< from the top-level keys: identity, devices, groups, metadata, notes
    TimeNs base_ns = 0;
    bool truncated = false;
    std::string damage{};
    TraceFile as_file{};
    StepWindow steps{};
    unsigned threads = 1;
};

RankTrace withKeys(const RankTrace& keys) {
    RankTrace trace;
    trace.rank = keys.rank;
    trace.rank_origin = keys.rank_origin;
    trace.world_size = keys.world_size;
    trace.host = keys.host;
    trace.backend = keys.backend;
    trace.devices = keys.devices;
    trace.groups = keys.groups;
    trace.metadata = keys.metadata;
    trace.health.notes = keys.health.notes;
    return trace;
}

/// Assembles what was read for one rank. The trace is empty after a stop, and for a rank without slices.
RankTrace makeRank(const FileContent& content, std::vector<PartialTrace> parts, const std::stop_token& stop) {
    RankTrace trace = withKeys(content.keys);
    LinkInput links = assemble(std::move(parts), content.base_ns, content.steps, content.threads, trace, stop);
    if (stop.stop_requested() || trace.health.slices == 0) {
        return trace;
    }
    linkTrace(std::move(links), content.threads, trace, stop);
    trace.window = windowOf(trace.tracks);
    trace.health.truncated = content.truncated;
    if (content.truncated) {
        trace.health.notes.push_back("The file ends before it should (" + content.damage +
                                     "); what came before is shown.");
    }
    trace.files.push_back(content.as_file);
    trace.files.back().window = trace.window;
    return trace;
}

/// The traces of a file of several ranks. What the top-level keys say about a single rank is not used: they do not say
/// which rank.
Result<std::vector<RankTrace>> makeRanks(FileContent content, RanksOfFile ranks, const std::stop_token& stop) {
    content.keys.rank.reset();
    content.keys.rank_origin = RankOrigin::Unknown;
    content.keys.host.clear();
    const std::string told = content.file.label() + " contains " + std::to_string(ranks.ranks.size()) +
                             " ranks, separated " + ranks.told_by + ".";
    std::vector<RankTrace> traces;
    for (RankParts& rank : ranks.ranks) {
        RankTrace trace = makeRank(content, std::move(rank.parts), stop);
        if (stop.stop_requested()) {
            return Cancelled{};
        }
        content.keys.health.notes.clear();
        trace.health.notes.push_back(told);
        trace.rank = rank.rank;
        trace.rank_origin = rank.rank_origin;
        if (trace.health.slices > 0) {
            traces.push_back(std::move(trace));
        }
    }
    if (std::ranges::any_of(traces, [](const RankTrace& t) { return t.rank_origin == RankOrigin::Order; })) {
        numberByCollectives(traces);
    }
    std::ranges::stable_sort(traces, {}, &RankTrace::rank);
    return traces;
}

/// The trace of a file of one rank, or of several that cannot be separated.
RankTrace makeOnlyRank(const FileContent& content, RanksOfFile ranks, const std::stop_token& stop) {
    RankParts& only = ranks.ranks.front();
    RankTrace trace = makeRank(content, std::move(only.parts), stop);
    if (!ranks.mixed.empty()) {
        trace.health.ranks_mixed = true;
        trace.health.notes.push_back(content.file.label() + " contains several ranks that cannot be separated: " +
                                     ranks.mixed + ". Open the files as the profiler wrote them, one per rank.");
    }
    if (!trace.rank && only.rank) {
        trace.rank = only.rank;
        trace.rank_origin = only.rank_origin;
    }
    guessIdentity(content.file, trace);
    return trace;
}

/// Reads the events of a file in either format, JSON or Perfetto's, as its first bytes show.
Result<ReadFile> readEitherFormat(ByteStream& bytes, const FileSource& file, unsigned threads,
                                  const ReadProgress& progress, const std::stop_token& stop) {
    FrontStream stream(bytes, perfetto::kPerfettoFront, stop);
    if (perfetto::isPerfetto(stream.front())) {
        Result<ReadFile> read = perfetto::readPackets(stream, file.name(), progress, stop);
        if (read.ok()) {
            read.value().format = TraceFormat::Perfetto;
        }
        return read;
    }
    const bool is_of_nccl_plugin = isOfNcclPlugin(stream.front());
    Result<ReadFile> read = readEvents(stream, file.name(), threads, progress, stop);
    if (read.ok()) {
        read.value().is_of_nccl_plugin = is_of_nccl_plugin;
        if (const std::optional<std::string> why = whyForeign(read.value().parts)) {
            return Error{file.name(), std::nullopt, *why};
        }
    }
    if (read.failed() && saysNoTrace(read.error()) &&
        perfetto::isNamedSo(file.member.empty() ? file.path : file.member)) {
        return Error{file.name(), std::nullopt,
                     "is named as a Perfetto trace, but does not begin with a packet of one"};
    }
    return read;
}

Result<std::vector<RankTrace>> readTraces(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                                          LoadObserver& observer, const std::stop_token& stop) {
    // The place for an index on disk that makes the second opening instant: it would restore the RankTraces as they are
    // at the end of this function, keyed by the file's path, size and time of change.
    const unsigned threads = threadCount(options.threads);
    Result<ReadFile> read = readEitherFormat(
        stream, file, threads,
        [&](std::uint64_t disk, std::uint64_t unpacked) { observer.fileProgress(0, disk, file.bytes, unpacked); },
        stop);
    if (read.cancelled()) {
        return Cancelled{};
    }
    if (!read.ok()) {
        return read.error();
    }
    ReadFile events = std::move(read).value();
    FileContent content{file};
    content.base_ns = readKeys(file, events, content.keys);
    markFormat(content.keys, events.format);
    content.truncated = events.truncated;
    content.damage = events.damage.value_or("the event array is not closed");
    content.as_file = {file.path,
                       file.member,
                       file.bytes,
                       events.json_bytes,
                       modifiedAt(file.path),
                       {},
                       std::make_shared<const SeekIndex>(stream.seekIndex())};
    content.steps = {options.first_step, options.last_step};
    content.threads = threads;
    RanksOfFile ranks = tellRanksApart(std::move(events.parts));
    std::vector<RankTrace> traces;
    if (ranks.ranks.size() > 1) {
        Result<std::vector<RankTrace>> several = makeRanks(std::move(content), std::move(ranks), stop);
        if (!several.ok()) {
            return several;
        }
        traces = std::move(several).value();
    } else {
        traces.push_back(makeOnlyRank(content, std::move(ranks), stop));
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    if (traces.empty() || traces.front().health.slices == 0) {
        if ((options.first_step || options.last_step) && !events.damage) {
            return Error{file.name(), std::nullopt, std::string(kNoneOfTheSteps)};
        }
        return noEvents(file, traces.empty() ? Health() : traces.front().health, events);
    }
    observer.fileProgress(0, file.bytes, file.bytes, events.json_bytes);
    return traces;
}

/// The traces in a digest.
Result<std::vector<RankTrace>> digestedTraces(const FileSource& file, const LoadOptions& options,
                                              LoadObserver& observer) {
    const StepWindow steps{options.first_step, options.last_step};
    Result<std::vector<RankTrace>> traces =
        readDigest(file.path, {.ranks = options.ranks,
                               .threads = threadCount(options.threads),
                               .condense = [&](RankTrace& trace) { keepSteps(trace, steps); },
                               .damaged = [&](const Error& error) { observer.rankFailed(0, error); }});
    if (!traces.ok()) {
        return traces;
    }
    for (RankTrace& trace : traces.value()) {
        for (TraceFile& of_trace : trace.files) {
            of_trace.path = pathHere(of_trace, options.path_map);
            of_trace.digest = file.path;
        }
    }
    std::erase_if(traces.value(),
                  [](const RankTrace& trace) { return trace.health.slices == 0 || trace.files.empty(); });
    if (traces.value().empty() && options.ranks.empty()) {
        const bool wants_steps = options.first_step || options.last_step;
        return Error{file.name(), std::nullopt, wants_steps ? std::string(kNoneOfTheSteps) : kNoEvents};
    }
    observer.fileProgress(0, file.bytes, file.bytes, file.bytes);
    return traces;
}

/// The trace of a file of one rank.
Result<RankTrace> onlyOne(const FileSource& file, Result<std::vector<RankTrace>> traces) {
    if (traces.cancelled()) {
        return Cancelled{};
    }
    if (!traces.ok()) {
        return traces.error();
    }
    std::vector<RankTrace> several = std::move(traces).value();
    if (several.size() > 1) {
        return Error{file.name(), std::nullopt, "contains " + std::to_string(several.size()) + " ranks"};
    }
    return std::move(several.front());
}

/// Whether there is a readable file named as a digest: what is wrong with it as a trace is of no use.
bool isCalledDigest(const FileSource& file) {
    return file.member.empty() && file.path.ends_with(kDigestEnding) && InputFile::open(file.path).ok();
}

/// The result of `read`, or the error that it throws: memory that one file needs fails that file, not the program.
template <class Read>
Result<std::vector<RankTrace>> orError(const FileSource& file, const Read& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return Error{file.name(), std::nullopt, "out of memory while reading this file"};
    } catch (const std::length_error&) {  // from a vector or string beyond its maximum size
        return Error{file.name(), std::nullopt, "out of memory while reading this file"};
    } catch (const std::exception& error) {
        return Error{file.name(), std::nullopt, std::string("cannot be read: ") + error.what()};
    }
}

}  // namespace

Result<std::vector<RankTrace>> loadRanks(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                                         std::stop_token stop) {
    return orError(file, [&]() -> Result<std::vector<RankTrace>> {
        if (holdsDigest(file)) {
            return digestedTraces(file, options, observer);
        }
        if (holdsSqlite(file)) {
            return loadNsight(file, options, observer, stop);
        }
        Result<std::unique_ptr<ByteStream>> opened = openByteStream(file);
        Result<std::vector<RankTrace>> traces = opened.ok() ? readTraces(*opened.value(), file, options, observer, stop)
                                                            : Result<std::vector<RankTrace>>(opened.error());
        return traces.failed() && isCalledDigest(file) ? Error{file.name(), std::nullopt, std::string(kNoDigest)}
                                                       : std::move(traces);
    });
}

Result<std::vector<RankTrace>> loadHead(const FileSource& file, std::uint64_t bytes) {
    return orError(file, [&]() -> Result<std::vector<RankTrace>> {
        Result<std::unique_ptr<ByteStream>> opened = openByteStream(file);
        if (!opened.ok()) {
            return opened.error();
        }
        RangeStream head(std::move(opened).value(), bytes);
        LoadOptions options;
        options.threads = 1;
        LoadObserver nobody;
        return readTraces(head, file, options, nobody, {});
    });
}

Result<RankTrace> loadFile(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                           std::stop_token stop) {
    return onlyOne(file, loadRanks(file, options, observer, std::move(stop)));
}

Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                             LoadObserver& observer, std::stop_token stop) {
    return onlyOne(file, orError(file, [&] { return readTraces(stream, file, options, observer, stop); }));
}

}  // namespace rankscope
