// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/suggestion.h"
#include "core/diagnosis/frame/rule.h"

// Why a run cannot tell a change, as whole sentences. Private to core/whatif.
namespace rankscope {

/// A refusal with this reason.
[[nodiscard]] inline Error cannotTell(std::string reason) {
    return {.path = {}, .byte_offset = {}, .cause = std::move(reason)};
}

/// The end of a sentence about a name that is not there: "; did you mean \"compute\"?" for the nearest one, else ".".
[[nodiscard]] inline std::string nearestOrStop(std::string_view name, const std::vector<std::string>& names) {
    const std::string nearest = suggestion(name, names);
    return nearest.empty() ? "." : nearest;
}

/// A refusal if the transfers of this run cannot be separated from waits for other ranks; nothing if they can.
[[nodiscard]] inline std::optional<Error> refuseWithoutTransfers(const RuleContext& context) {
    if (context.pricer.coupled()) {
        return std::nullopt;
    }
    return cannotTell(context.facts.collectives.collectives.empty()
                          ? "The ranks do not communicate in this recording."
                          : "Transfers and waits for other ranks cannot be separated: not all ranks were recorded.");
}

}  // namespace rankscope
