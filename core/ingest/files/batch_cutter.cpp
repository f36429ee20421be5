// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/batch_cutter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/ingest/bounds.h"
#include "core/ingest/kineto/json_text.h"
#include "core/ingest/pickle/read_pickle.h"

namespace rankscope {
namespace {

constexpr std::size_t kHeaderStep = std::size_t{256} * 1024;
/// A larger header is not kept whole: its keys are lost, but not its events.
constexpr std::size_t kHeaderKept = 16U << 20U;
constexpr std::size_t kHeaderTail = 4096;
/// White space at the start of a file. With more than this, it is a file of white space.
constexpr std::size_t kLeadingSpace = 1U << 20U;
/// How far a list is read to find events.
constexpr std::size_t kListLookedAt = 4U << 20U;
/// How far a text that does not begin like JSON is searched for events.
constexpr std::size_t kForeignText = 16U << 20U;

/// Keys that only the profiler writes before and after its events.
constexpr std::array<std::string_view, 4> kKeysOfTraces = {"deviceProperties", "distributedInfo", "baseTimeNanoseconds",
                                                           "traceName"};

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The start of the cause for JSON that the profiler has not written.
constexpr std::string_view kNoTraceEvents = "has no \"traceEvents\": it is ";
constexpr std::string_view kNoEventList = "is a JSON list, but not of trace events";
constexpr std::string_view kNoJson = "is not JSON";

/// "snapshot.pickle", "snapshot.pkl.gz": real pickles are read elsewhere.
bool isNamedAsPickle(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.find(".pickle") != std::string_view::npos || name.find(".pkl") != std::string_view::npos;
}

/// Whether a text is an archive, whose members may contain events.
bool isTar(std::string_view head) {
    constexpr std::size_t kMagicAt = 257;
    return head.size() > kMagicAt && head.substr(kMagicAt).starts_with("ustar");
}

}  // namespace

bool saysNoTrace(const Error& error) {
    const std::string_view cause = error.cause;
    const bool is_called_json = error.path.find(".json", error.path.rfind('/') + 1) != std::string::npos;
    return cause.starts_with(kNoTraceEvents) || cause.starts_with(kNoEventList) ||
           (cause == kNoJson && !is_called_json);
}

Error BatchCutter::noTrace(const std::string& path, std::string_view head) const {
    if (stream_.damage()) {
        return {path, position_, *stream_.damage() + ", before the first event"};
    }
    if (head.empty()) {
        return {path, std::nullopt,
                leading_ > kLeadingSpace ? "begins with more than 1 MiB of white space" : "is empty"};
    }
    if (head.starts_with("SQLite format 3")) {
        return {path, std::nullopt, std::string(kPackedDatabase)};
    }
    if (isTar(head)) {
        return {path, std::nullopt, "is a tar archive; name it .tar, .tar.gz, .tgz or .tar.zst"};
    }
    if (beginsLikePickle(head)) {
        return {path, std::nullopt, std::string(kPickle)};
    }
    if (head.front() != '{' && head.front() != '[' && isNamedAsPickle(path)) {
        return {path, leading_,
                "is not a pickle of protocol 2 or later, as torch.cuda.memory._dump_snapshot() writes it"};
    }
    if (head.find(" NCCL INFO ") != std::string_view::npos) {
        return {path, std::nullopt, "is a log of NCCL, not a trace; `rankscope-cli analyze` reads logs"};
    }
    if (head.front() != '{' && head.front() != '[') {
        return {path, leading_, std::string(kNoJson)};
    }
    if (head.find("\"inspector_output_format_version\"") != std::string_view::npos) {
        return {path, std::nullopt,
                std::string(kNoTraceEvents) + "output of NCCL Inspector (a record a collective), not a profiler trace"};
    }
    if (head.front() == '[') {
        return {path, std::nullopt, std::string(kNoEventList) + ": nothing in it has a \"ph\""};
    }
    const auto keys = topLevelKeys(head);
    const auto has = [&](std::string_view key) {
        return std::ranges::any_of(keys, [&](const auto& k) { return k.first == key; });
    };
    const auto no_events = [&path](std::string_view what) {
        return Error{path, std::nullopt, std::string(kNoTraceEvents) + std::string(what)};
    };
    if (has("nodes") || (has("schema") && has("start_ts"))) {  // such files are huge, and are recognised by their first
                                                               // keys
        return no_events("an execution trace (ExecutionTraceObserver, Chakra), not a profiler trace");
    }
    const bool is_whole = head.substr(0, head.find_last_not_of(" \n\r\t") + 1).ends_with('}');
    if (!is_whole || std::ranges::any_of(kKeysOfTraces, has)) {
        return {path, std::nullopt,
                is_whole ? "has the keys of a profiler trace, but no \"traceEvents\""
                         : "is JSON that ends early, before any \"traceEvents\""};
    }
    if (has("pg_config") && has("entries")) {
        return no_events("a flight recorder dump, not a profiler trace; `rankscope-cli hang` reads it");
    }
    if (head.find("\"fwd_start\"") != std::string_view::npos) {
        return no_events(
            "a trainer's pipeline schedule (when each forward and backward ran), not a profiler trace; record the "
            "ranks "
            "with torch.profiler");
    }
    return no_events("JSON, but not a profiler trace; record one with torch.profiler");
}

BatchCutter::Begins BatchCutter::begins(std::string_view head, std::size_t searched, bool ended) const {
    if (head.empty()) {
        return {ended || leading_ > kLeadingSpace, kNowhere};
    }
    if (isTar(head)) {
        return {true, kNowhere};
    }
    if (head.front() == '[') {
        const bool events = head.find("\"ph\"", searched) != kNowhere;
        // An empty list is a trace without events, and reported as one.
        const bool nothing = ended && skipSpace(head, 1) + 1 >= head.size();
        return {events || ended || head.size() >= kListLookedAt, events || nothing ? 1 : kNowhere};
    }
    const std::size_t events = behindTraceEvents(head, searched);
    return {events != kNowhere || ended || (head.front() != '{' && position_ > kForeignText), events};
}

void BatchCutter::dropLeading(std::string& head) {
    const std::size_t mark = leading_ == 0 && head.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    const std::size_t space = skipSpace(head, mark);
    leading_ += space;
    head.erase(0, space);
}

Result<bool> BatchCutter::readHeader(const std::string& path, const std::stop_token& stop) {
    std::string head;
    while (!stop.stop_requested()) {
        const std::size_t before = head.size();
        head.resize(before + kHeaderStep);
        const std::size_t got = stream_.read({head.data() + before, kHeaderStep});
        head.resize(before + got);
        position_ += got;
        if (before == 0) {
            dropLeading(head);
        }
        const Begins found = begins(head, before > kHeaderTail ? before - kHeaderTail : 0, got < kHeaderStep);
        if (found.events != kNowhere) {
            metadata_ = topLevelKeys(std::string_view(head).substr(0, found.events));
            left_over_ = head.substr(found.events);
            return true;
        }
        if (found.known) {
            return noTrace(path, head);
        }
        if (head.size() > kHeaderKept) {
            head.erase(kHeaderTail, head.size() - 2 * kHeaderTail);
        }
    }
    return Cancelled{};
}

bool BatchCutter::next(TextBatch& batch) {
    if (ended_) {
        return false;
    }
    std::size_t want = kBatchBytes;
    while (want <= left_over_.size()) {  // while there is no cut in the rest
        want *= 2;
    }
    batch.reserve(std::max(want, left_over_.size()));
    std::memcpy(batch.data(), left_over_.data(), left_over_.size());
    batch.offset = position_ - left_over_.size();
    batch.size = left_over_.size();
    while (true) {
        if (batch.size < want) {
            batch.reserve(want);
            const std::size_t got = stream_.read({batch.data() + batch.size, want - batch.size});
            batch.size += got;
            position_ += got;
        }
        batch.last = batch.size < want;
        if (batch.last) {
            ended_ = true;
            left_over_.clear();
            return true;
        }
        const std::size_t cut = lastEventStart(batch.text());
        if (cut != kNowhere || want >= kLongestEvent) {
            const std::size_t end = cut != kNowhere ? cut : batch.size;
            left_over_.assign(batch.data() + end, batch.size - end);
            batch.size = end;
            while (cut != kNowhere && batch.data()[batch.size - 1] != '}') {  // the comma and the space after the event
                --batch.size;
            }
            return true;
        }
        want *= 2;
    }
}

}  // namespace rankscope
