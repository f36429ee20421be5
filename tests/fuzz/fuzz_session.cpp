// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"
#include "ui/window/session/session_document.h"

namespace rankscope::fuzz {

void fuzzSession(Input input) {
    const std::filesystem::path path = "/somewhere/session.rankscope";
    const auto read = ui::readSession(textOf(input), path);
    if (!read.ok()) {
        demand(!read.error().text().empty(), "a refused session has a reason");
        return;
    }
    // What was understood is written so that it is understood again, and then stays as it is.
    const std::string written = ui::sessionJson(read.value(), path.parent_path());
    const auto again = ui::readSession(written, path);
    demand(again.ok(), "a session that was written can be read");
    demand(ui::sessionJson(again.value(), path.parent_path()) == written,
           "a session that was read is written as it was");
}

}  // namespace rankscope::fuzz
