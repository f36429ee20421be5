// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/ingest/files/path_map.h"
#include "ui/panels/communication/grid_choice.h"
#include "ui/panels/shared/analysis_choice.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/timeline_state.h"
#include "ui/window/opening/run_loader.h"
#include "ui/window/places/panel_layout.h"

namespace rankscope::ui {

/// What a user was looking at: plain data, kept as a JSON document that can be sent to a colleague.
struct SessionDocument {
    struct OpenRun {
        std::string name;
        std::vector<std::string> files;  ///< absolute paths
        AnalysisChoice choice;
        LoadPart part;  ///< what of the files was open, and whether they are one run; its map is not kept
    };

    std::vector<OpenRun> runs;
    PathMap map;                              ///< where the traces of digests were looked for
    std::vector<std::string> snapshots;       ///< memory snapshots that were open, absolute paths
    TimelineState timeline;                   ///< what was in sight, folded, marked and laid over
    std::optional<SliceSelection> selection;  ///< in `runs`
    /// Two runs that are compared.
    struct Comparison {
        std::array<std::size_t, 2> runs{};  ///< which of `runs`, A first
        bool linked = true;
        bool by_phase = false;
        bool stacked = false;
        friend bool operator==(const Comparison&, const Comparison&) = default;
    };
    std::optional<Comparison> compared;  ///< nothing where none are
    std::string search;                  ///< what was searched for
    std::string panel;                   ///< name of the panel in front, in the lower part
    bool side_panel = true;              ///< whether the diagnoses are shown
    bool bottom_panel = true;            ///< whether the lower part is
    GridChoice grid;                     ///< what the user chose on the map of the grid
    std::optional<PanelLayout> layout;   ///< where the panels are; nothing: they stay where they are
};

/// The document as JSON. Files in `folder`, where it will be, or below are named from there, so that both can be moved
/// together.
[[nodiscard]] std::string sessionJson(const SessionDocument& document, const std::filesystem::path& folder);

/// Reads what sessionJson() wrote into a file at `path`. Fails with what is wrong with it, and where: no JSON, no
/// session, of a newer version, or a field that does not hold what it should.
[[nodiscard]] Result<SessionDocument> readSession(std::string_view json, const std::filesystem::path& path);

}  // namespace rankscope::ui
