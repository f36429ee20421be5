// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/commands/command_registry.h"

namespace rankscope::ui {

/// A panel of the window, with a one-sentence description.
struct PanelSummary {
    QString place;  ///< the place with its page, or the part of the window with its tab; empty: it is always visible
    QString title;  ///< its title in that place
    QString about;
};

/// The reference of the window as Markdown: its panels, what pointer and keys do by themselves, and every command with
/// its current keys and its id for `--command`. docs/reference.md is this text with the default keys.
[[nodiscard]] QString referenceMarkdown(const CommandRegistry& commands, const std::vector<PanelSummary>& panels);

}  // namespace rankscope::ui
