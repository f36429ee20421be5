// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/version.h"

namespace rankscope {

std::string_view toolVersion() {
    return RANKSCOPE_VERSION;
}

}  // namespace rankscope
