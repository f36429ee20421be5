// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/go_commands.h"

#include <QMenu>
#include <QMenuBar>
#include <algorithm>
#include <vector>

#include "ui/commands/command_registry.h"
#include "ui/panels/search/search.h"
#include "ui/theme/notice.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/active_view.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// Goes to another finding, or says why there is none.
void stepFinding(const ActiveView& view, const OpenRuns& runs, int direction) {
    const auto finds = [](const auto& run) { return !run->diagnosis.findings.empty(); };
    if (!view.comparing() && std::ranges::none_of(runs, finds)) {
        const bool done = std::ranges::none_of(runs, [](const auto& run) { return run->facts.ranks.empty(); });
        sayPassing(view.timeline(), done ? tr("No findings.") : tr("The run is still being analysed."));
    }
    view.stepFinding(direction);
}

/// Goes to another hit of the search, or says why there is none.
void stepHit(const ActiveView& view, int direction) {
    Search& search = view.search();
    if (search.results() == nullptr || search.results()->size() == 0) {
        sayPassing(view.timeline(), search.query().isEmpty() ? tr("No search is active.")
                                    : search.busy()          ? tr("The runs are still being searched.")
                                                             : tr("No hits."));
    }
    search.step(direction);
}

/// The timelines, for keys that tables, lists, fields or cards use themselves.
std::vector<QWidget*> scopeOf(const ActiveView& view) {
    const std::vector<TimelineWidget*> timelines = view.timelines();
    return {timelines.begin(), timelines.end()};
}

}  // namespace

void addGoCommands(CommandRegistry& commands, const ActiveView& view, const Session& session) {
    const QString group = tr("Go");
    const auto timeline = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [view, action] { view.timeline().trigger(action); }});
    };
    const auto finding = [&](const char* name, const QString& title, const char* keys, int direction) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [view, &session, direction] { stepFinding(view, session.runs(), direction); }});
    };
    finding("go.next-finding", tr("&Next Finding: Its Step, Then Its Place"), "N", 1);
    finding("go.previous-finding", tr("&Previous Finding, the Same Way Back"), "Shift+N", -1);
    timeline("go.next-gap", tr("Next &Gap"), "G", TimelineAction::NextGap);
    timeline("go.previous-gap", tr("Previous G&ap"), "Shift+G", TimelineAction::PreviousGap);
    timeline("go.next-slice", tr("Next &Slice"), ".", TimelineAction::NextSlice);
    timeline("go.previous-slice", tr("Previo&us Slice"), ",", TimelineAction::PreviousSlice);
    timeline("go.follow", tr("&Follow the Launch"), "]", TimelineAction::FollowLink);
    timeline("go.follow-back", tr("Follow &It Back"), "[", TimelineAction::FollowLinkBack);
    timeline("go.other-link", tr("&Turn to Another Link Forward"), "Ctrl+]", TimelineAction::OtherLink);
    timeline("go.other-link-back", tr("Turn to Another Link Ba&ck"), "Ctrl+[", TimelineAction::OtherLinkBack);
    const std::vector<QWidget*> scope = scopeOf(view);
    const auto row = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [view, action] { view.timeline().trigger(action); }, false, scope});
    };
    row("go.row-below", tr("Into the Slice, or to the Track B&elow"), "Down", TimelineAction::RowBelow);
    row("go.row-above", tr("&Out of the Slice, or to the Track Above"), "Up", TimelineAction::RowAbove);
    row("go.slice-right", tr("To the Slice on the Right, as Next Slice"), "Right", TimelineAction::NextSlice);
    row("go.slice-left", tr("To the Slice on the Left, as Previous Slice"), "Left", TimelineAction::PreviousSlice);
    timeline("go.back", tr("&Back to Where You Were"), "Alt+Left", TimelineAction::GoBack);
    timeline("go.forward", tr("For&ward Again"), "Alt+Right", TimelineAction::GoForward);
    timeline("go.fit", tr("Fit the Selectio&n"), "F", TimelineAction::FitSelection);
    timeline("go.fit-all", tr("Fit &All"), "Shift+F", TimelineAction::FitAll);
}

void addSearchCommands(CommandRegistry& commands, const ActiveView& view, const Session& session) {
    const QString group = tr("Search");
    commands.add({id("search.open"), group, tr("Sea&rch..."), QKeySequence(QStringLiteral("/")), [view, &session] {
                      if (!session.runs().empty()) {
                          view.search().open();
                      }
                  }});
    const std::vector<QWidget*> scope = scopeOf(view);
    const auto step = [&](const char* name, const QString& title, const char* keys, int direction) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [view, direction] { stepHit(view, direction); }, false, scope});
    };
    step("search.next", tr("Next &Hit"), "Return", 1);
    step("search.previous", tr("Pre&vious Hit"), "Shift+Return", -1);
    commands.add({id("search.selection"), group, tr("Fin&d the Name of the Selection"), {}, [view] {
                      if (const QString name = view.timeline().selectionWords().value(0); !name.isEmpty()) {
                          view.search().searchFor(name);
                      } else {
                          sayPassing(view.timeline(), tr("Nothing is selected."));
                      }
                  }});
    commands.add({id("search.hits"), group, tr("&List the Hits"), {}, [view] { view.showHits(); }});
}

void addGoMenu(const CommandRegistry& commands, QMenuBar& bar) {
    QMenu* menu = bar.addMenu(tr("&Go"));
    commands.fill(menu, {id("go.back"),
                         id("go.forward"),
                         id("go.step-map"),
                         {},
                         id("go.next-finding"),
                         id("go.previous-finding"),
                         {},
                         id("go.next-gap"),
                         id("go.previous-gap"),
                         {},
                         id("go.next-slice"),
                         id("go.previous-slice"),
                         id("go.follow"),
                         id("go.follow-back"),
                         id("go.other-link"),
                         id("go.other-link-back"),
                         id("go.row-below"),
                         id("go.row-above"),
                         {}});
    commands.fill(menu->addMenu(tr("&Marks and Areas")), {id("mark.pass"),
                                                          id("mark.keep"),
                                                          id("mark.next"),
                                                          id("mark.previous"),
                                                          id("mark.note"),
                                                          id("mark.remove"),
                                                          {},
                                                          id("area.of-selection"),
                                                          id("area.to-selection"),
                                                          id("area.of-all")});
    commands.fill(
        menu,
        {{}, id("search.open"), id("search.selection"), id("search.next"), id("search.previous"), id("search.hits")});
}

}  // namespace rankscope::ui
