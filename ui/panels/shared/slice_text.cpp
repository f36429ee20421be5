// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/slice_text.h"

#include <QObject>
#include <QStringList>
#include <optional>

#include "core/base/format.h"
#include "core/trace/copied_bytes.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kLaunchedShown = 6;

/// Rows of names and values, as HTML.
class Rows {
  public:
    explicit Rows(const Theme& theme) : theme_(theme) {}

    void add(const QString& name, const QString& value_html) {
        html_ += QStringLiteral("<tr><td style=\"white-space:pre\">%1</td><td>%2</td></tr>")
                     .arg(dim(name, theme_), value_html);
    }
    [[nodiscard]] QString table() const { return QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(html_); }

  private:
    const Theme& theme_;
    QString html_;
};

void addLinks(Rows& rows, const AnalysedRun& run, const SliceSelection& at) {
    const RankTrace& rank = *run.run->ranks[at.rank];
    const auto anchor = [&](SliceRef slice) { return sliceAnchor(run, {at.run, at.rank, slice}); };
    if (const SliceRef launch = rank.launches.launchOf(at.slice); launch.valid()) {
        rows.add(QObject::tr("Launched by"), anchor(launch));
    }
    if (const auto launched = rank.launches.launchedBy(at.slice); !launched.empty()) {
        QStringList links;
        for (const Launch& launch : launched.first(std::min(launched.size(), kLaunchedShown))) {
            links.append(anchor(launch.device));
        }
        if (launched.size() > kLaunchedShown) {
            links.append(QObject::tr("and %1 more").arg(launched.size() - kLaunchedShown));
        }
        rows.add(QObject::tr("Launched"), links.join(QStringLiteral("<br>")));
    }
    const SliceIndex parent = rank.track(at.slice).slices.parent[at.slice.slice];
    if (parent != kNoSlice) {
        rows.add(QObject::tr("Inside"), anchor({at.slice.track, parent}));
    }
}

void addColumns(Rows& rows, const RankTrace& rank, SliceRef slice) {
    const Track& track = rank.track(slice);
    const Category category = rank.category(slice);
    const bool copies = category == Category::Memcpy || category == Category::Memset;
    const std::int64_t* const own = track.bytes.find(slice.slice);
    const std::optional<std::int64_t> bytes = copies           ? copiedBytes(rank, slice)
                                              : own != nullptr ? std::optional(*own)
                                                               : std::nullopt;
    if (bytes && *bytes >= 0) {
        rows.add(QObject::tr("Bytes"), text(formatBytes(static_cast<std::uint64_t>(*bytes))));
    }
    if (const CollectiveArgs* args = track.collectives.find(slice.slice)) {
        QStringList about;
        for (const StringId id : {args->name, args->dtype, args->group_description}) {
            if (id.valid()) {
                about.append(text(rank.strings.view(id)));
            }
        }
        if (args->in_elements >= 0) {
            const auto elements = static_cast<std::uint64_t>(args->in_elements);
            about.append(plural(QObject::tr("%1 element(s)", nullptr, static_cast<int>(elements)), elements)
                             .arg(text(formatCount(elements))));
        }
        if (args->group_size > 0) {
            about.append(plural(QObject::tr("%n rank(s)", nullptr, args->group_size),
                                static_cast<std::uint64_t>(args->group_size)));
        }
        rows.add(QObject::tr("Collective"), about.join(QStringLiteral("  ·  ")).toHtmlEscaped());
    }
}

}  // namespace

QString sliceHtml(const AnalysedRun& run, const SliceSelection& at, const SliceExtras& extras, const Theme& theme) {
    const RankTrace& rank = *run.run->ranks[at.rank];
    const Track& track = rank.track(at.slice);
    const TimeSpan span = rank.span(at.slice);
    Rows rows(theme);
    rows.add(QObject::tr("Category"), text(categoryName(rank.category(at.slice))));
    if (extras.name_run) {
        rows.add(QObject::tr("Run"), text(run.run->name).toHtmlEscaped());
    }
    rows.add(QObject::tr("Track"), QObject::tr("%1, %2", "a rank, a track of it")
                                       .arg(rankName(*run.run, at.rank), coreText(track.name))
                                       .toHtmlEscaped());
    if (const QString place = placeTitle(run.facts.parallelism.grid, at.rank); !place.isEmpty()) {
        rows.add(QObject::tr("Place"), place);
    }
    if (at.rank < run.clock.ranks.size()) {
        const TimeNs start = run.clock.ranks[at.rank].toRun(FileTime(span.start_ns)) - run.clock.base_ns;
        rows.add(QObject::tr("Start"), QObject::tr("%1 from the run's start").arg(duration(start)));
    }
    rows.add(QObject::tr("Duration"), QStringLiteral("<b>%1</b>").arg(duration(span.length())));
    if (extras.collectives != nullptr) {
        for (const auto& [name, value] : collectiveRows(run, *extras.collectives, at)) {
            rows.add(name, value);
        }
    }
    rows.add(QObject::tr("Self"), extras.self_ns ? duration(*extras.self_ns) : QStringLiteral("…"));
    rows.add(QObject::tr("Depth"), QString::number(track.slices.depth[at.slice.slice]));
    addColumns(rows, rank, at.slice);
    addLinks(rows, run, at);
    const QString name = text(rank.name(at.slice)).toHtmlEscaped();
    return QStringLiteral("<h3>%1</h3>%2").arg(name, rows.table());
}

}  // namespace rankscope::ui
