// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/flight_recorder/flight_recorder.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "core/ingest/files/front_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/named_file.h"

namespace rankscope {
namespace {

/// The dumps at a path: a file that was named counts, whatever it is.
std::vector<std::string> dumpsAt(const std::string& path, FileOpener& opener) {
    std::vector<std::string> found = filesAt(path);
    if (found.size() == 1 && found.front() == path) {
        return found;
    }
    std::erase_if(found, [&opener](const std::string& file) {
        constexpr std::size_t kFront = std::size_t{1} << 16;
        const Result<std::unique_ptr<ByteStream>> stream = opener.open(file);
        return !stream.ok() || !isFrontOfFlightDump(FrontStream(*stream.value(), kFront, {}).front());
    });
    return found;
}

Result<FlightDump> loadWith(FileOpener& opener, const std::string& file) {
    const Result<std::unique_ptr<ByteStream>> stream = opener.open(file);
    return stream.ok() ? readFlightDump(*stream.value(), file) : Result<FlightDump>(stream.error());
}

/// When the last call of a dump was made; 0 if that is unknown.
std::int64_t lastCallOf(const FlightDump& dump) {
    std::int64_t last = 0;
    for (const FlightCall& call : dump.calls) {
        last = std::max(last, call.created_ns.value_or(0));
    }
    return last;
}

/// Keeps one dump a rank.
class ByRank {
  public:
    void add(FlightDump dump, std::vector<Error>& unreadable) {
        const auto known = dumps_.find(dump.rank);
        if (known == dumps_.end()) {
            dumps_.emplace(dump.rank, std::move(dump));
            return;
        }
        if (lastCallOf(dump) > lastCallOf(known->second)) {
            std::swap(dump, known->second);
        }
        unreadable.push_back(
            {dump.path,
             {},
             "is a second dump of rank " + std::to_string(dump.rank) + ", beside the newer " + known->second.path});
    }

    std::vector<FlightDump> all() && {
        std::vector<FlightDump> out;
        for (auto& [rank, dump] : dumps_) {
            out.push_back(std::move(dump));
        }
        return out;
    }

  private:
    std::map<std::int64_t, FlightDump> dumps_;
};

}  // namespace

FlightDumps loadFlightDumps(const std::vector<std::string>& paths, const ReadingOfFiles& reading) {
    FlightDumps loaded;
    ByRank by_rank;
    FileOpener opener;
    for (std::size_t at = 0; at < paths.size(); ++at) {
        const std::string& path = paths[at];
        const std::vector<std::string> files = dumpsAt(path, opener);
        if (files.empty()) {
            loaded.unreadable.push_back({path, {}, "contains no dumps of PyTorch's flight recorder"});
        }
        for (const std::string& file : files) {
            if (reading.stop.stop_requested()) {
                break;
            }
            if (reading.progressed) {
                reading.progressed(at, 0);
            }
            Result<FlightDump> dump = loadWith(opener, file);
            if (dump.ok()) {
                by_rank.add(std::move(dump).value(), loaded.unreadable);
            } else {
                loaded.unreadable.push_back(dump.error());
            }
        }
    }
    loaded.dumps = std::move(by_rank).all();
    return loaded;
}

}  // namespace rankscope
