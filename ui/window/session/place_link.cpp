// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/place_link.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <QStringList>
#include <algorithm>

#include "ui/panels/shared/words.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

/// `path` quoted for a shell, whatever it contains.
QString quoted(const QString& path) {
    QString inside = path;
    inside.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + inside + QLatin1Char('\'');
}

/// The folder that contains these files and no others, otherwise the files.
QStringList shortest(const QStringList& files) {
    const QString folder = files.isEmpty() ? QString() : QFileInfo(files.front()).absolutePath();
    const bool together =
        std::ranges::all_of(files, [&](const QString& file) { return QFileInfo(file).absolutePath() == folder; });
    const auto beside = QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot).size();
    return !files.isEmpty() && together && beside == files.size() ? QStringList{folder} : files;
}

}  // namespace

PlaceLink placeIn(Workspace& workspace) {
    const TimelineWidget& timeline = workspace.timeline();
    PlaceLink place{timeline.viewport().window(), {}};
    if (const auto* slice = std::get_if<SliceSelection>(&timeline.selection())) {
        place.slice = *slice;
    }
    return place;
}

void showPlace(const PlaceLink& place, Workspace& workspace) {
    const OpenRuns& runs = workspace.runs();
    if (place.slice && place.slice->run < runs.size() &&
        exists(*runs[place.slice->run], place.slice->rank, place.slice->slice)) {
        workspace.flow().reveal(*place.slice);
    }
    TimelineState state = workspace.timeline().state();
    state.window = place.window;
    workspace.timeline().setState(state);
}

QString placeText(const PlaceLink& place) {
    QString words = QStringLiteral("%1:%2").arg(place.window.start_ns).arg(place.window.end_ns);
    if (place.slice) {
        words += QLatin1Char('@') + sliceLink(*place.slice);
    }
    return words;
}

std::optional<PlaceLink> placeOf(const QString& words) {
    const QString times = words.section(QLatin1Char('@'), 0, 0);
    const QString slice = words.section(QLatin1Char('@'), 1);
    bool from_ok = false;
    bool to_ok = false;
    PlaceLink place;
    place.window.start_ns = times.section(QLatin1Char(':'), 0, 0).toLongLong(&from_ok);
    place.window.end_ns = times.section(QLatin1Char(':'), 1).toLongLong(&to_ok);
    if (!slice.isEmpty()) {
        place.slice = sliceOfLink(slice);
    }
    const bool ok = from_ok && to_ok && place.window.start_ns < place.window.end_ns &&
                    place.slice.has_value() == words.contains(QLatin1Char('@'));
    return ok ? std::optional(place) : std::nullopt;
}

QString commandTo(const PlaceLink& place, const OpenRuns& runs) {
    // Joined, since a value that begins with a minus would be read as an option.
    QStringList words{QStringLiteral("rankscope"), QStringLiteral("--place=") + placeText(place)};
    for (const auto& run : runs) {
        for (const QString& path : shortest(tracePaths(*run->run))) {
            words.append(quoted(path));
        }
    }
    return words.join(QLatin1Char(' '));
}

}  // namespace rankscope::ui
