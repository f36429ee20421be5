// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/timeline_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <array>
#include <functional>
#include <utility>

#include "core/report/reports.h"
#include "ui/commands/command_registry.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/commands/grouping_commands.h"
#include "ui/window/commands/held_keys.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/session/place_link.h"
#include "ui/window/session/session.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

constexpr int kLastRankKey = 9;

using command_words::id;
using command_words::tr;

/// A command that shows or hides one kind of overlay.
struct OverlayCommand {
    const char* id;
    const char* title;
    Overlay which;
    const char* keys = "";
};
constexpr std::array<OverlayCommand, kOverlayCount> kOverlays = {{
    {"overlay.gaps", QT_TRANSLATE_NOOP("rankscope::ui", "&Gaps of the GPU"), Overlay::Gaps},
    {"overlay.overlap", QT_TRANSLATE_NOOP("rankscope::ui", "&Communication under Compute"), Overlay::Overlap},
    {"overlay.exposed", QT_TRANSLATE_NOOP("rankscope::ui", "&Exposed Communication"), Overlay::Exposed},
    {"overlay.stragglers", QT_TRANSLATE_NOOP("rankscope::ui", "&Stragglers"), Overlay::Stragglers},
    {"overlay.links", QT_TRANSLATE_NOOP("rankscope::ui", "&Links of the Selection"), Overlay::Links},
    {"overlay.critical-path", QT_TRANSLATE_NOOP("rankscope::ui", "Critical &Path of the Step"), Overlay::Path, "P"},
}};

constexpr std::array<const char*, kRankOrderCount> kOrderIds = {"rows.by-number", "rows.by-lateness", "rows.by-cost"};

TimelineWidget& timelineOf(MainWindow& window) {
    return window.workspace().timeline();
}

/// Settings also apply to the timelines of a comparison.
template <class Set>
void setAll(MainWindow& window, const Set& set) {
    for (TimelineWidget* timeline : window.active().timelines()) {
        set(*timeline);
    }
}

void addOverlays(MainWindow& window) {
    for (const OverlayCommand& overlay : kOverlays) {
        QAction* action = window.commands().add(
            {id(overlay.id), tr("Overlays"), tr(overlay.title), QKeySequence(QLatin1String(overlay.keys)), {}, true});
        action->setChecked(timelineOf(window).overlays().has(overlay.which));
        QObject::connect(action, &QAction::toggled, &window, [&window, which = overlay.which](bool on) {
            setAll(window, [&](TimelineWidget& timeline) { timeline.setOverlay(which, on); });
        });
    }
}

/// Asks the user for a track of the timeline by its name.
void chooseTrack(MainWindow& window, const QString& hint,
                 const std::function<void(TimelineWidget&, const TimelineWidget::NamedTrack&)>& take) {
    std::vector<TimelineWidget::NamedTrack> tracks = window.active().timeline().tracks();
    std::vector<PaletteEntry> entries;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        entries.push_back({QString::number(i), tracks[i].run_name, tracks[i].title, {}});
    }
    if (entries.empty()) {
        window.loadingStrip().showPassing(tr("No track has slices."));
        return;
    }
    window.commandWindows().choose(std::move(entries), hint,
                                   [&window, take, tracks = std::move(tracks)](const QString& id) {
                                       take(window.active().timeline(), tracks[id.toULongLong()]);
                                   });
}

void pinTrack(MainWindow& window) {
    if (std::holds_alternative<SliceSelection>(window.active().timeline().selection())) {
        window.active().timeline().trigger(TimelineAction::PinTrack);
    } else {
        chooseTrack(window, tr("Name of a track to pin"), &TimelineWidget::pinTrack);
    }
}

void addRowCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("Rows");
    auto* orders = new QActionGroup(&window);
    const std::array<QString, kRankOrderCount> order_titles = {tr("Ranks By number"), tr("Ranks By lateness"),
                                                               tr("Ranks By cost of findings")};
    for (std::size_t o = 0; o < kRankOrderCount; ++o) {
        const auto order = static_cast<RankOrder>(o);
        QAction* action =
            commands.add({id(kOrderIds[o]),
                          group,
                          order_titles[o],
                          {},
                          [&window, order] { setAll(window, [&](TimelineWidget& t) { t.setRankOrder(order); }); },
                          true});
        action->setChecked(order == timelineOf(window).rankOrder());
        orders->addAction(action);
    }
    addGroupingCommands(window);
    QAction* fold = commands.add({id("rows.fold-alike"), group, tr("&Fold Ranks That Are Alike"), {}, {}, true});
    fold->setChecked(timelineOf(window).alikeFolded());
    QObject::connect(fold, &QAction::toggled, &window, [&window](bool on) {
        setAll(window, [&](TimelineWidget& timeline) { timeline.setAlikeFolded(on); });
    });
    QAction* one =
        commands.add({id("rows.one-rank"), group, tr("CPU Threads of the Selected Rank Onl&y"), {}, {}, true});
    one->setChecked(timelineOf(window).oneRankUnfolded());
    QObject::connect(one, &QAction::toggled, &window,
                     [&window](bool on) { timelineOf(window).setOneRankUnfolded(on); });
    const auto act = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.active().timeline().trigger(action); }});
    };
    commands.add({id("rows.pin"), group, tr("&Pin or Unpin the Track of the Selection"),
                  QKeySequence(QStringLiteral("Shift+T")), [&window] { pinTrack(window); }});
    commands.add({id("rows.find"), group, tr("Find a &Track by Its Name..."), QKeySequence(QStringLiteral("Ctrl+P")),
                  [&window] { chooseTrack(window, tr("Name of a track"), &TimelineWidget::showTrack); }});
    act("rows.fold", tr("F&old or Unfold the Track of the Selection"), "X", TimelineAction::FoldTrack);
    act("rows.fold-rank", tr("Fold or Unfold the &Rank of the Selection"), "Shift+X", TimelineAction::FoldRank);
    act("rows.counters", tr("Show or Hide the &Counters"), "K", TimelineAction::Counters);
    const std::vector<TimelineWidget*> timelines = window.active().timelines();
    const auto name = [&](const char* own_id, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(own_id), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.active().timeline().trigger(action); }, false,
                      std::vector<QWidget*>(timelines.begin(), timelines.end())});
    };
    name("rows.next-name", tr("To the &Name Below, for X and the Menu Key"), "Ctrl+Down", TimelineAction::NextName);
    name("rows.previous-name", tr("To the Name Abo&ve"), "Ctrl+Up", TimelineAction::PreviousName);
    act("rows.wider-names", tr("Make the Column of Names &Wider"), "", TimelineAction::WiderNames);
    act("rows.narrower-names", tr("Make the Column of Names Narro&wer"), "", TimelineAction::NarrowerNames);
    act("rows.hide", tr("&Hide the Track of the Selection"), "", TimelineAction::HideTrack);
    act("rows.show-hidden", tr("&Show All Hidden Rows"), "", TimelineAction::ShowHidden);
    act("area.of-selection", tr("&Mark the Area of the Selection"), "R", TimelineAction::AreaOfSelection);
    act("area.to-selection", tr("&Extend the Area to the Selection"), "Shift+R", TimelineAction::AreaToSelection);
    act("area.of-all", tr("Mark &All of the Time, Then All Tracks"), "Ctrl+A", TimelineAction::AreaOfAll);
    QObject::connect(&timelineOf(window), &TimelineWidget::rowsChanged, &window,
                     [&window] { checkTimelineCommands(window); });
}

/// Scrolls to a rank: on both timelines if two runs are compared and move together, otherwise on the timeline under the
/// mouse, or on the active one.
void showRank(MainWindow& window, int number) {
    const RankNumber rank(number);
    const CompareView& pair = window.compareView();
    QString why_not;
    if (window.comparing().active() && pair.linked()) {
        const bool in_a = pair.timeline(Side::A).showRank(rank);
        const bool in_b = pair.timeline(Side::B).showRank(rank);
        why_not = in_a && in_b ? QString()
                  : in_a       ? tr("There is no rank %1 in B.").arg(number)
                  : in_b       ? tr("There is no rank %1 in A.").arg(number)
                               : tr("There is no rank %1 here.").arg(number);
    } else {
        TimelineWidget* const over = timelineUnderMouse(window);
        TimelineWidget& timeline = over != nullptr ? *over : window.active().timeline();
        why_not = timeline.showRank(rank) ? QString() : tr("There is no rank %1 here.").arg(number);
    }
    if (!why_not.isEmpty()) {
        window.loadingStrip().showPassing(why_not);
    }
}

/// Copies a text and shows how it begins, or shows `why_not` if it is empty.
void copy(MainWindow& window, const QString& text, const QString& why_not) {
    constexpr qsizetype kLettersSaid = 60;
    if (text.isEmpty()) {
        window.loadingStrip().showPassing(why_not);
        return;
    }
    QGuiApplication::clipboard()->setText(text);
    const QString line = text.simplified();
    const QString begins = line.size() <= kLettersSaid ? line : line.left(kLettersSaid) + QStringLiteral("…");
    window.loadingStrip().showPassing(tr("Copied: %1").arg(begins));
}

/// The times of the marked area, otherwise of the selection, in whole nanoseconds on the axis.
QString timesOf(const TimelineWidget& timeline) {
    const TimeSpan span = timeline.markedSpan();
    return span.empty()
               ? QString()
               : QStringLiteral("%1 ns to %2 ns (%3 ns)").arg(span.start_ns).arg(span.end_ns).arg(span.length());
}

/// The selected finding as `text_of` writes it; all of the current run, if none is selected.
std::string findingsOf(MainWindow& window, std::string (*text_of)(const AnalysedRun&, std::size_t)) {
    const OpenRuns& runs = window.session().runs();
    if (const auto selected = window.workspace().diagnoses().selected(); selected && selected->run < runs.size()) {
        return text_of(*runs[selected->run], selected->finding);
    }
    const AnalysedRun& run = *runs[window.active().currentRun()];
    std::string out;
    for (std::size_t finding = 0; finding < run.diagnosis.findings.size(); ++finding) {
        out += (out.empty() ? "" : "\n") + text_of(run, finding);
    }
    return out;
}

void addCopyCommands(MainWindow& window) {
    const auto add = [&](const char* name, const QString& title, const char* keys, auto text_of,
                         const QString& why_not) {
        window.commands().add(
            {id(name), tr("Edit"), title, QKeySequence(QLatin1String(keys)),
             [&window, text_of, why_not] { copy(window, text_of(window.active().timeline()), why_not); }});
    };
    add(
        "copy.name", tr("Copy the &Name of the Selection"), "C",
        [](const TimelineWidget& timeline) { return timeline.selectionWords().value(0); }, tr("Nothing is selected."));
    add(
        "copy.selection", tr("Copy the &Selection as Text"), "Shift+C",
        [](const TimelineWidget& timeline) { return timeline.selectionWords().join(QLatin1Char('\n')); },
        tr("Nothing is selected."));
    const auto finding = [&](const char* name, const QString& title, auto text_of) {
        window.commands().add({id(name), tr("Edit"), title, {}, [&window, text_of] {
                                   copy(window, QString::fromStdString(findingsOf(window, text_of)),
                                        tr("No findings."));
                               }});
    };
    finding("finding.copy", tr("Copy the &Finding as Text"), &textFinding);
    finding("finding.copy-markdown", tr("Copy the Finding as Mark&down"), &markdownFinding);
    window.workspace().diagnoses().setCardActions(
        {window.commands().action(id("finding.copy")), window.commands().action(id("finding.copy-markdown"))});
    window.commands().add({id("copy.place"), tr("Edit"), tr("Copy a Command to This P&lace"), {}, [&window] {
                               copy(window, commandTo(placeIn(window.workspace()), window.session().runs()),
                                    tr("No run is open."));
                           }});
    add("copy.times", tr("Copy the &Times of the Area or the Selection"), "Alt+Shift+C", timesOf,
        tr("Mark an area, or select something that takes time."));
}

}  // namespace

void addTimelineCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    addCopyCommands(window);
    QAction* overview = commands.add(
        {id("view.overview"), tr("View"), tr("Overv&iew"), QKeySequence(QStringLiteral("Ctrl+Shift+B")), {}, true});
    overview->setChecked(true);
    QObject::connect(overview, &QAction::toggled, &window, [&window](bool on) {
        setAll(window, [&](TimelineWidget& timeline) { timeline.setOverviewVisible(on); });
    });
    addOverlays(window);
    addRowCommands(window);
    for (int number = 0; number <= kLastRankKey; ++number) {
        commands.add({QStringLiteral("go.rank-%1").arg(number), tr("Go"), tr("Rank %1").arg(number),
                      QKeySequence(QString::number(number)), [&window, number] { showRank(window, number); }});
    }
    const auto edit = [&](const char* name, const QString& title, const QKeySequence& keys, TimelineAction action) {
        commands.add(
            {id(name), tr("Edit"), title, keys, [&window, action] { window.active().timeline().trigger(action); }});
    };
    edit("edit.undo", tr("&Undo the Last Change of Rows or Marks"), QKeySequence(QStringLiteral("Ctrl+Z")),
         TimelineAction::Undo);
    edit("edit.redo", tr("&Redo It"), QKeySequence(QStringLiteral("Ctrl+Shift+Z")), TimelineAction::Redo);
    const auto mark = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), tr("Marks"), title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.active().timeline().trigger(action); }});
    };
    mark("mark.pass", tr("&Mark the Selection"), "M", TimelineAction::Mark);
    mark("mark.keep", tr("&Keep a Mark with a Note..."), "Shift+M", TimelineAction::KeepMark);
    mark("mark.note", tr("&Write the Note of the Chosen Mark"), "F2", TimelineAction::NoteMark);
    mark("mark.next", tr("Choose the Ne&xt Mark"), "Ctrl+M", TimelineAction::NextMark);
    mark("mark.previous", tr("Choose the Pre&vious Mark"), "Ctrl+Shift+M", TimelineAction::PreviousMark);
    mark("mark.remove", tr("&Remove the Chosen Mark"), "Delete", TimelineAction::RemoveMark);
}

void checkTimelineCommands(MainWindow& window) {
    const Workspace& workspace = window.workspace();
    const TimelineState state = timelineOf(window).state();
    const auto check = [&](const char* name, bool on) { window.commands().action(id(name))->setChecked(on); };
    check("view.side", workspace.sidePanelVisible());
    check("view.bottom", workspace.bottomPanelVisible());
    check("view.overview", state.overview);
    for (const OverlayCommand& overlay : kOverlays) {
        check(overlay.id, state.overlays.has(overlay.which));
    }
    check(kOrderIds[static_cast<std::size_t>(state.rank_order)], true);
    check("rows.fold-alike", state.fold_alike);
    check("rows.one-rank", timelineOf(window).oneRankUnfolded());
    checkGroupingCommands(window);
}

void addTimelineMenus(MainWindow& window, QMenu* view) {
    std::vector<QString> overlays;
    for (const OverlayCommand& overlay : kOverlays) {
        overlays.push_back(id(overlay.id));
    }
    window.commands().fill(view->addMenu(tr("&Overlays")), overlays);
    QMenu* rows = view->addMenu(tr("&Rows"));
    window.commands().fill(rows, {id(kOrderIds[0]), id(kOrderIds[1]), id(kOrderIds[2])});
    addGroupingMenu(window, rows);
    window.commands().fill(rows, {id("rows.one-rank"),
                                  id("rows.fold-alike"),
                                  id("rows.fold"),
                                  id("rows.fold-rank"),
                                  {},
                                  id("rows.find"),
                                  id("rows.next-name"),
                                  id("rows.previous-name"),
                                  id("rows.pin"),
                                  id("rows.counters"),
                                  id("rows.hide"),
                                  id("rows.show-hidden"),
                                  {},
                                  id("rows.wider-names"),
                                  id("rows.narrower-names")});
}

}  // namespace rankscope::ui
