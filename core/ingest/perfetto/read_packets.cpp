// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>
#include <utility>

#include "core/ingest/kineto/foreign_events.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "core/ingest/perfetto/packet_reader.h"
#include "core/ingest/perfetto/perfetto.h"

namespace rankscope::perfetto {
namespace {

std::string_view writtenBy(Writer writer) {
    switch (writer) {
        case Writer::System: return "a Perfetto trace of a system (Android, Linux)";
        case Writer::Chrome: return "a Perfetto trace of Chrome";
        case Writer::Any: break;
    }
    return "a Perfetto trace of another tool";
}

bool hasSlices(const PartialTrace& part) {
    return !part.tracks.empty();
}

/// Why a trace is not one of PyTorch's profiler, if it is none.
std::optional<std::string> whyOfOthers(const std::vector<PartialTrace>& parts, Writer writer) {
    if (hasSlices(parts.front()) || writer == Writer::Any) {
        return whyForeign(parts, writtenBy(writer));
    }
    return "is " + std::string(writtenBy(writer)) +
           ", without a slice of PyTorch's profiler. Open it in ui.perfetto.dev, or record the job with torch.profiler";
}

}  // namespace

Result<ReadFile> readPackets(ByteStream& stream, const std::string& path, const ReadProgress& progress,
                             const std::stop_token& stop) {
    constexpr std::uint64_t kToldAfter = std::uint64_t{1} << 20U;
    ReadFile file;
    file.parts.resize(1);
    PacketCutter cutter(stream);
    PacketReader reader(file.parts.front());
    std::uint64_t told = 0;
    while (!stop.stop_requested()) {
        const std::optional<CutPacket> packet = cutter.next();
        if (!packet) {
            break;
        }
        reader.read(*packet);
        if (cutter.position() - told >= kToldAfter) {
            told = cutter.position();
            progress(stream.diskPosition(), told);
        }
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    reader.finish();
    if (const std::optional<std::string> why = whyOfOthers(file.parts, reader.writer())) {
        return Error{path, std::nullopt, *why};
    }
    file.metadata = reader.keys();
    file.json_bytes = cutter.position();
    file.damage = stream.damage() ? stream.damage() : cutter.damage();
    file.truncated = file.damage.has_value();
    return file;
}

}  // namespace rankscope::perfetto
