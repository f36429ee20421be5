// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {

Json verdictJson(const Verdict& verdict) {
    Json shares = nullptr;
    if (verdict.shares) {
        shares = {{"compute", verdict.shares->compute}, {"communication", verdict.shares->communication},
                  {"input", verdict.shares->input},     {"launch", verdict.shares->launch},
                  {"rest", verdict.shares->rest},       {"unknown", verdict.shares->unknown}};
    }
    return {{"bound", verdict.bound ? Json(boundName(*verdict.bound)) : Json(nullptr)},
            {"rule", verdict.rule},
            {"shares", std::move(shares)}};
}

}  // namespace rankscope::report
