// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/confidence.h"

namespace rankscope {

std::string_view confidenceName(Confidence confidence) {
    switch (confidence) {
        case Confidence::Low: return "low";
        case Confidence::Medium: return "medium";
        case Confidence::High: return "high";
    }
    return "low";
}

}  // namespace rankscope
