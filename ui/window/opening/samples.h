// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace rankscope::ui {

/// The folders of the bundled sample runs: below `share/rankscope/samples` of an installation, or `resources/samples`
/// of the source tree of the build. Empty if there are none.
[[nodiscard]] QStringList sampleRuns();

}  // namespace rankscope::ui
