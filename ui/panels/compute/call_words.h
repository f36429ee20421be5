// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include "ui/panels/compute/calls_request.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

// How a node of the call tree is named and coloured, in the flame graph and in the table alike.

/// Its name; that of the root says what it is the sum of.
[[nodiscard]] QString callName(const CallTree& tree, const CallNode& node);
/// What of a name says most where there is little room: of "torch/nn/modules/conv.py(456): forward" the function.
[[nodiscard]] QString shortCallName(const QString& name);
/// All that is known of it in lines, for a tooltip: the name, the times, the frames folded into it.
[[nodiscard]] QString callTip(const ShownCalls& shown, const CallNode& node);
/// The names from the outermost call to `node`, with what is folded, a line each.
[[nodiscard]] QString callPath(const CallTree& tree, const CallNode& node);
/// "1.20 ms more", "as long" or "only here" against the other run.
[[nodiscard]] QString differenceWords(const ShownCalls& shown, const CallNode& node);
/// Its colour: that of its kind of slice; compared, red where it takes more than in the other run, blue where less.
[[nodiscard]] QRgb callColour(const ShownCalls& shown, const CallNode& node, const Theme& theme);

}  // namespace rankscope::ui
