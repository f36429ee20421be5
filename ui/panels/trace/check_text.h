// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/frame/sentences.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The pages of the panel with the health check.
enum class CheckPage : std::uint8_t { Check, Protocol, Lists };
inline constexpr std::size_t kCheckPages = 3;

/// What to show of a run; made into a page on any thread.
struct CheckRequest {
    std::shared_ptr<const AnalysedRun> run;
    std::uint32_t index = 0;                   ///< its index among the open runs, for links
    std::shared_ptr<const AnalysedRun> after;  ///< the run that validates a change of this one; may be null
    std::shared_ptr<const Sentences> words;    ///< in the language of the window; null: English
    CheckPage page = CheckPage::Check;
    Theme theme;
};

/// A page, ready to be shown.
struct CheckText {
    QString html;
    std::size_t look = 0;  ///< lines of the check that say "look here"
};
/// Each line with its mark, its words and its links: sliceLink(), "finding:RUN:FINDING", "rank:RUN:RANK" and
/// "panel:NAME" or "panel:NAME:PAGE".
[[nodiscard]] CheckText makeCheckText(const CheckRequest& request);

}  // namespace rankscope::ui
