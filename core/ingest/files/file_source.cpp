// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "core/ingest/load.h"

namespace rankscope {

std::string FileSource::label() const {
    const std::string file = std::filesystem::path(path).filename().string();
    return member.empty() ? file : file + ":" + member;
}

std::string FileSource::name() const {
    return member.empty() ? path : path + ":" + member;
}

}  // namespace rankscope
