// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/version.h"

#include <fmt/format.h>

namespace rankscope {

std::string_view toolVersion() {
    return RANKSCOPE_VERSION;
}

std::string versionsText() {
    return fmt::format("{} (report schema {}, definitions {})", toolVersion(), kReportSchema, kDefinitions);
}

}  // namespace rankscope
