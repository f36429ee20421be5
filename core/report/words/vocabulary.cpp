// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/vocabulary.h"

#include <fmt/format.h>

namespace rankscope {

std::string_view rankOriginName(RankOrigin origin) {
    switch (origin) {
        case RankOrigin::DistributedInfo: return "distributed-info";
        case RankOrigin::EventArgs: return "event-args";
        case RankOrigin::ProcessName: return "process-name";
        case RankOrigin::CollectiveArgs: return "collective-args";
        case RankOrigin::FileName: return "file-name";
        case RankOrigin::FolderName: return "folder-name";
        case RankOrigin::Order: return "order";
        case RankOrigin::Unknown: return "unknown";
    }
    return "unknown";
}

std::string fileLabel(const TraceFile& file) {
    return file.member.empty() ? file.path : file.path + ":" + file.member;
}

std::string ranksInCapital(std::string text) {
    if (text.starts_with("rank ") || text.starts_with("ranks ")) {
        text.front() = 'R';
    }
    return text;
}

}  // namespace rankscope
