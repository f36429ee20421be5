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

/// The state of a window: plain data, stored as a JSON document that can be sent to a colleague.
struct SessionDocument {
    struct OpenRun {
        std::string name;
        std::vector<std::string> files;  ///< absolute paths
        AnalysisChoice choice;
        LoadPart part;  ///< which part of the files was open, and whether they are one run; its map is not stored
    };

    std::vector<OpenRun> runs;
    PathMap map;                              ///< where the traces of digests were found
    std::vector<std::string> companions;      ///< files of companions that were open, absolute paths
    TimelineState timeline;                   ///< what was visible, folded, marked and overlaid
    std::optional<SliceSelection> selection;  ///< in `runs`
    /// Runs that are compared.
    struct Comparison {
        std::array<std::vector<std::size_t>, 2> sides;  ///< recordings of each side, as indices in `runs`, A first
        bool linked = true;
        bool by_phase = false;
        bool stacked = false;
        friend bool operator==(const Comparison&, const Comparison&) = default;
    };
    std::optional<Comparison> compared;  ///< nothing if none are
    std::string search;                  ///< the searched text
    std::string question;                ///< the text in the field for questions in SQL
    std::string panel;                   ///< name of the panel in front, in the lower part
    bool side_panel = true;              ///< whether the diagnoses are shown
    bool bottom_panel = true;            ///< whether the lower part is shown
    GridChoice grid;                     ///< the user's choices on the map of the grid
    std::optional<PanelLayout> layout;   ///< the places of the panels; nothing: they do not change
};

/// The document as JSON. Files in `folder`, in which it will be saved, or below are stored as relative paths, so that
/// both can be moved together.
[[nodiscard]] std::string sessionJson(const SessionDocument& document, const std::filesystem::path& folder);

/// Reads the result of sessionJson() in a file at `path`. Fails with the problem and its place: not JSON, not a
/// session, of a newer version, or a field with a wrong type.
[[nodiscard]] Result<SessionDocument> readSession(std::string_view json, const std::filesystem::path& path);

}  // namespace rankscope::ui
