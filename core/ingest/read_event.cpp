// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/content_hash.h"
#include "core/ingest/files/seek_index.h"
#include "core/ingest/kineto/json_text.h"
#include "core/ingest/load.h"
#include "core/ingest/nsight/nsight.h"
#include "core/ingest/perfetto/perfetto.h"
#include "core/trace/row_source.h"

namespace rankscope {
namespace {

constexpr std::size_t kFirstRead = std::size_t{64} * 1024;
constexpr std::size_t kLargestEvent = 64U << 20U;

/// Why the trace of a digest cannot be read.
constexpr const char* kNotHere =
    "is where the trace was when the digest was made, but it is not here. If the folder has another name here, add "
    "--map FROM=TO";

bool isElsewhere(const TraceFile& file) {
    std::error_code error;
    return !file.seek_index && !std::filesystem::exists(file.path, error);
}

/// The event at the start of `text`: by its brackets, or up to the next event if its text is broken.
std::string_view eventAtFront(std::string_view text) {
    const std::size_t end = endOfValue(text, 0);
    const std::size_t next = nextEventStart(text, 1);
    if (end != kNowhere && (next == kNowhere || end <= next)) {
        return text.substr(0, end);
    }
    if (next == kNowhere) {
        return {};
    }
    const std::size_t brace = text.substr(0, next).rfind('}');
    return text.substr(0, brace == kNowhere ? next : brace + 1);
}

/// How to find bytes of the file again. If a digest was read instead, only its path is known, and a compressed file is
/// unpacked from its start.
Result<std::shared_ptr<const SeekIndex>> seekIndexOf(const TraceFile& file) {
    if (file.seek_index) {
        return file.seek_index;
    }
    const Result<std::unique_ptr<ByteStream>> opened = openByteStream({file.path, file.member, file.bytes});
    if (!opened.ok()) {
        return opened.error();
    }
    return std::make_shared<const SeekIndex>(opened.value()->seekIndex());
}

}  // namespace

Result<std::string> readEventText(const RankTrace& rank, SliceRef slice) {
    return readMappedEventText(rank, slice, {});
}

Result<std::string> readMappedEventText(const RankTrace& rank, SliceRef slice, const PathMap& map) {
    const EventSource source = rank.track(slice).slices.source[slice.slice];
    TraceFile file = rank.files.at(source.file());
    file.path = pathHere(file, map);
    if (isElsewhere(file)) {
        return Error{file.path, source.offset(), kNotHere};
    }
    if (hasChanged(file)) {
        const std::string since = file.digest.empty() ? "it was loaded" : "its digest was made";
        return Error{file.path, source.offset(), "has changed since " + since + "; its args cannot be read back"};
    }
    if (isFromRows(rank)) {
        return nsightRowText(file, source);
    }
    const Result<std::shared_ptr<const SeekIndex>> index = seekIndexOf(file);
    if (!index.ok()) {
        return index.error();
    }
    for (std::size_t length = kFirstRead;; length *= 8) {
        Result<std::string> text = index.value()->read(file.path, source.offset(), length);
        if (!text.ok()) {
            return text.error();
        }
        if (perfetto::beginsWithPacket(text.value())) {
            return perfetto::packetEventText(*index.value(), file.path, source.offset());
        }
        const std::string_view event = eventAtFront(text.value());
        if (!event.empty() || text.value().size() < length || length >= kLargestEvent) {
            return event.empty()
                       ? Result<std::string>(Error{file.path, source.offset(), "there is no complete event here"})
                       : Result<std::string>(std::string(event));
        }
    }
}

}  // namespace rankscope
