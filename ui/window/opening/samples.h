// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace rankscope::ui {

/// The folders of the bundled sample runs: below `share/rankscope/samples` of an installation, or `resources/samples`
/// of the source tree that the program was built in. Empty where there are none.
[[nodiscard]] QStringList sampleRuns();

}  // namespace rankscope::ui
