// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/companions/read_companions.h"

#include <utility>

#include "core/ingest/flight_recorder/flight_recorder.h"
#include "core/ingest/nccl_log/nccl_log.h"

namespace rankscope {

std::shared_ptr<const ReadLogs> readLogs(const std::vector<std::string>& files, const ReadingOfFiles& reading) {
    LoadedNcclLogs loaded = loadNcclLogs(files, reading);
    auto made = std::make_shared<ReadLogs>();
    made->files = files;
    made->logs = std::move(loaded.logs);
    made->unreadable = std::move(loaded.unreadable);
    if (!reading.stop.stop_requested()) {
        made->network = network::analyseNetwork(made->logs);
    }
    return made;
}

std::shared_ptr<const ReadDumps> readDumps(const std::vector<std::string>& files, const ReadingOfFiles& reading) {
    FlightDumps loaded = loadFlightDumps(files, reading);
    auto made = std::make_shared<ReadDumps>();
    made->files = files;
    made->dumps = std::move(loaded.dumps);
    made->unreadable = std::move(loaded.unreadable);
    if (!reading.stop.stop_requested()) {
        made->hang = hang::findHang(made->dumps);
    }
    return made;
}

}  // namespace rankscope
