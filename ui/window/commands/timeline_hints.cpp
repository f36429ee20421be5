// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_registry.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/commands/go_commands.h"

namespace rankscope::ui {

void addTimelineHints(CommandRegistry& commands) {
    using command_words::tr;
    const QString group = tr("Timeline");
    const auto hint = [&](const char* keys, const QString& what, std::vector<QKeySequence> taken = {}) {
        commands.addHint({group, tr(keys), what, std::move(taken)});
    };
    hint("W  S", tr("Zoom in and out at the pointer"), {Qt::Key_W, Qt::Key_S});
    hint("A  D", tr("Pan left and right"), {Qt::Key_A, Qt::Key_D});
    hint("Ctrl+Wheel", tr("Zoom at the pointer"));
    hint("Wheel", tr("Scroll"));
    hint("Shift+Drag", tr("Pan"));
    hint("Drag", tr("Sum up an area: its edges snap to slices, Alt keeps them free"));
    hint("Drag", tr("On the ruler: sum up a time on all tracks"));
    hint("Click", tr("On the lower edge of the ruler: set a flag. On a flag: choose it, then write its note"));
    hint("Shift+Click", tr("On two places: select the time between them. With an area: extend it in time"));
    hint("Drag", tr("On a track's name: move it. On its lower edge: make its rows higher"));
    hint("Drag", tr("On the edge of the names: make them wider or narrower. A double click resets the width"));
    hint("Right click", tr("On a name: pin, hide, show what is hidden"));
    hint("Right click", tr("On a kernel: treat it as communication, or as compute again"));
    hint("Click", tr("On a cell above the tracks: go to that step of that rank"));
    hint("Click", tr("Select a slice or a gap"));
    hint("Arrows", tr("In the overview, a chart or the flame graph: go from part to part. Enter goes there"));
    hint("Esc", tr("Clear the selection"), {Qt::Key_Escape});
    commands.addHint({tr("View"),
                      tr("Arrows"),
                      tr("On a line between parts of the window, reached with Tab: move it, with Shift by a pixel"),
                      {}});
}

}  // namespace rankscope::ui
