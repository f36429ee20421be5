// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/flight_recorder/flight_recorder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/front_stream.h"
#include "core/ingest/pickle/read_pickle.h"

namespace rankscope {
namespace {

/// The most that a JSON dump may take as text: a ring of 100,000 calls with stacks takes some 200 MB.
constexpr std::size_t kMostJson = std::size_t{1} << 30;

/// Keys of a dump, of which one is near its start.
constexpr std::array<std::string_view, 3> kKeys = {"pg_config", "pg_status", "profiling_name"};

/// Keys of a profiler's trace, which may have a pg_config too.
constexpr std::array<std::string_view, 3> kKeysOfTraces = {"\"traceEvents\"", "\"distributedInfo\"",
                                                           "\"schemaVersion\""};

Result<nlohmann::json> documentOfPickle(ByteStream& stream, const std::string& path) {
    const Result<PickleData> data = readPickle(stream, path);
    return data.ok() ? plainJson(data.value(), path) : Result<nlohmann::json>(data.error());
}

Result<nlohmann::json> documentOfJson(ByteStream& stream, const std::string& path) {
    std::string text;
    constexpr std::size_t kTextPiece = std::size_t{1} << 16;
    for (std::size_t count = kTextPiece; count == kTextPiece;) {
        const std::size_t before = text.size();
        text.resize(before + kTextPiece);
        count = stream.read(std::span(text).subspan(before));
        text.resize(before + count);
        if (text.size() > kMostJson) {
            return Error{path, kMostJson, "is too long for a flight recorder dump"};
        }
    }
    if (stream.damage()) {
        return Error{path, text.size(), *stream.damage()};
    }
    Result<nlohmann::json> document = parseBoundedJson(text);
    if (document.failed()) {
        return Error{path, document.error().byte_offset, document.error().cause};
    }
    return document;
}

}  // namespace

bool isFrontOfFlightDump(std::string_view front) {
    const auto has = [front](std::string_view key) { return front.find(key) != std::string_view::npos; };
    const bool is_json = front.find_first_not_of(" \t\r\n") == front.find('{');
    return (is_json || beginsLikePickle(front)) && std::ranges::any_of(kKeys, has) &&
           std::ranges::none_of(kKeysOfTraces, has);
}

bool beginsLikeFlightDump(const std::string& path) {
    constexpr std::size_t kFront = std::size_t{1} << 16;
    return isFrontOfFlightDump(frontOf(path, kFront));
}

Result<FlightDump> loadFlightDump(const std::string& path) {
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(path);
    return stream.ok() ? readFlightDump(*stream.value(), path) : Result<FlightDump>(stream.error());
}

Result<FlightDump> readFlightDump(ByteStream& stream, const std::string& path) {
    FrontStream whole(stream, 2, {});
    const Result<nlohmann::json> document =
        beginsLikePickle(whole.front()) ? documentOfPickle(whole, path) : documentOfJson(whole, path);
    return document.ok() ? buildFlightDump(document.value(), path) : Result<FlightDump>(document.error());
}

}  // namespace rankscope
