// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/batch_cutter.h"

#include <algorithm>
#include <cstring>

#include "core/ingest/json_text.h"

namespace rankscope {
namespace {

constexpr std::size_t kHeaderStep = std::size_t{256} * 1024;
/// A header larger than this is not kept whole: its keys are lost, its events are not.
constexpr std::size_t kHeaderKept = 16U << 20U;
constexpr std::size_t kHeaderTail = 4096;
/// A batch grows to this while no cut is found in it: one event this long is no event.
constexpr std::size_t kLargestBatch = 256U << 20U;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

Error BatchCutter::noTrace(const std::string& path, std::string_view head) const {
    if (stream_.damage()) {
        return {path, position_, *stream_.damage() + ", before the first event"};
    }
    const std::size_t first = skipSpace(head, 0);
    if (first == head.size()) {
        return {path, std::nullopt, "is empty"};
    }
    if (head[first] != '{' && head[first] != '[') {
        return {path, first, "is no JSON"};
    }
    const auto keys = topLevelKeys(head.substr(first));
    const auto has = [&](std::string_view key) {
        return std::ranges::any_of(keys, [&](const auto& k) { return k.first == key; });
    };
    if (has("nodes")) {
        return {path, std::nullopt,
                "has no \"traceEvents\": it is an execution trace (ExecutionTraceObserver), not a profiler trace"};
    }
    if (has("pg_config") && has("entries")) {
        return {path, std::nullopt, "has no \"traceEvents\": it is a Flight Recorder dump, not a profiler trace"};
    }
    return {path, std::nullopt, "has no \"traceEvents\": it is JSON, but no profiler trace"};
}

Result<bool> BatchCutter::readHeader(const std::string& path) {
    std::string head;
    while (true) {
        const std::size_t before = head.size();
        head.resize(before + kHeaderStep);
        const std::size_t got = stream_.read({head.data() + before, kHeaderStep});
        head.resize(before + got);
        position_ += got;
        std::size_t start = head.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        start = skipSpace(head, start);
        std::size_t events = start < head.size() && head[start] == '[' ? start + 1 : kNowhere;
        if (events == kNowhere) {
            const std::size_t from = before > kHeaderTail ? before - kHeaderTail : 0;
            events = behindTraceEvents(head, from);
        }
        if (events != kNowhere) {
            metadata_ = topLevelKeys(std::string_view(head).substr(0, events));
            left_over_ = head.substr(events);
            return true;
        }
        if (got < kHeaderStep) {
            return noTrace(path, head);
        }
        if (head.size() > kHeaderKept) {
            head.erase(kHeaderTail, head.size() - 2 * kHeaderTail);
        }
    }
}

bool BatchCutter::next(TextBatch& batch) {
    if (ended_) {
        return false;
    }
    std::size_t want = kBatchBytes;
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
        if (cut != kNowhere || want >= kLargestBatch) {
            const std::size_t end = cut != kNowhere ? cut : batch.size;
            left_over_.assign(batch.data() + end, batch.size - end);
            batch.size = end;
            while (cut != kNowhere &&
                   batch.data()[batch.size - 1] != '}') {  // the comma and the space behind the event
                --batch.size;
            }
            return true;
        }
        want *= 2;
    }
}

}  // namespace rankscope
