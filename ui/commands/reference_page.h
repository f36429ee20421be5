// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/commands/command_registry.h"

namespace rankscope::ui {

/// A panel of the window, with a sentence on what it shows.
struct PanelSummary {
    QString place;  ///< whose page it is, or the part of the window that has its tab; empty: it is always there
    QString title;  ///< as that place calls it
    QString about;
};

/// The reference of the window as Markdown: its panels, what pointer and keys do by themselves, and every command with
/// its keys as they are now and the id by which `--command` knows it. docs/reference.md is this text with the keys that
/// a new user has.
[[nodiscard]] QString referenceMarkdown(const CommandRegistry& commands, const std::vector<PanelSummary>& panels);

}  // namespace rankscope::ui
