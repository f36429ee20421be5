// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include "ui/panels/compute/calls_request.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

// How a node of the call tree is named and coloured, both in the flame graph and in the table.

/// Its name; the root's says what it is the sum of.
[[nodiscard]] QString callName(const CallTree& tree, const CallNode& node);
/// The most significant part of a name if there is little room: the function of "torch/nn/modules/conv.py(456):
/// forward".
[[nodiscard]] QString shortCallName(const QString& name);
/// All details in lines, for a tooltip: the name, the times, the frames folded into it.
[[nodiscard]] QString callTip(const ShownCalls& shown, const CallNode& node);
/// The names from the outermost call to `node`, with folded frames, one per line.
[[nodiscard]] QString callPath(const CallTree& tree, const CallNode& node);
/// "1.20 ms more", "as long" or "only here" against the other run.
[[nodiscard]] QString differenceWords(const ShownCalls& shown, const CallNode& node);
/// Its colour: that of its kind of slice; in a comparison, red if it takes more than in the other run, blue if less.
[[nodiscard]] QRgb callColour(const ShownCalls& shown, const CallNode& node, const Theme& theme);

}  // namespace rankscope::ui
