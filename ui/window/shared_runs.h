// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/timeline/index_store.h"
#include "ui/window/session.h"

namespace rankscope::ui {

class MainWindow;

/// What the windows of the open runs have in common, and own together: which runs these are, and what drawing them
/// needs, so that a further window reads and indexes nothing again.
struct SharedRuns {
    Session session;
    std::shared_ptr<IndexStore> indices = std::make_shared<IndexStore>();
    std::vector<MainWindow*> windows;  ///< those that are open, in the order in which they were
};

}  // namespace rankscope::ui
