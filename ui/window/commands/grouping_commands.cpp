// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/grouping_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/role_words.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/main_window.h"
#include "ui/window/session/session.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

constexpr const char* kGroupRole = "rows.group-role";

/// A command that puts the ranks under headings.
struct Grouping {
    const char* id;
    const char* title;
    std::optional<Role> role;
};
constexpr std::array<Grouping, 7> kGroupings = {{
    {"rows.no-headings", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks &Without Headings"), std::nullopt},
    {"rows.by-data", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: &Data"), Role::Data},
    {"rows.by-shard", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: &Shard"), Role::Shard},
    {"rows.by-pipeline", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: &Pipeline"), Role::Pipeline},
    {"rows.by-sequence", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: S&equence"), Role::Sequence},
    {"rows.by-tensor", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: &Tensor"), Role::Tensor},
    {"rows.by-expert", QT_TRANSLATE_NOOP("rankscope::ui", "Ranks under Headings: E&xpert"), Role::Expert},
}};

QString whyNot(MainWindow& window) {
    return !window.session().runs().empty()
               ? tr("No open run has groups of this role with known members: see the panel Grid.")
               : tr("No run is open.");
}

/// Asks the user for the role of the groups with this name.
void chooseRole(MainWindow& window, std::size_t run, const QString& group) {
    std::vector<PaletteEntry> entries{{QString(), group, tr("Detected"), {}}};
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        const auto role = static_cast<Role>(r);
        entries.push_back(
            {QString::fromUtf8(roleName(role).data(), std::ssize(roleName(role))), group, roleHeading(role), {}});
    }
    window.commandWindows().choose(std::move(entries), tr("Role of the group"),
                                   [&window, run, group](const QString& role) {
                                       Q_EMIT window.workspace().grid().roleChosen(static_cast<std::uint32_t>(run),
                                                                                   group, roleOf(role.toStdString()));
                                   });
}

/// Asks the user for a group of the current run, then for its role. Groups with the same name are one choice.
void chooseGroup(MainWindow& window) {
    const std::size_t run = window.active().currentRun();
    if (run >= window.session().runs().size()) {
        return;
    }
    std::map<QString, std::optional<Role>> roles;
    for (const GroupRole& group : window.session().runs()[run]->facts.parallelism.groups) {
        roles.emplace(text(group.label()), group.role);
    }
    std::vector<PaletteEntry> entries;
    for (const auto& [name, role] : roles) {
        entries.push_back({name, roleTitle(role), name, {}});
    }
    if (!entries.empty()) {
        window.commandWindows().choose(std::move(entries), tr("Name of a process group"),
                                       [&window, run](const QString& group) { chooseRole(window, run, group); });
    }
}

}  // namespace

void addGroupingCommands(MainWindow& window) {
    auto* group = new QActionGroup(&window);
    for (const Grouping& grouping : kGroupings) {
        QAction* action = window.commands().add({id(grouping.id),
                                                 tr("Rows"),
                                                 tr(grouping.title),
                                                 {},
                                                 [&window, role = grouping.role] {
                                                     for (TimelineWidget* timeline : window.active().timelines()) {
                                                         timeline->setGroupedBy(role);
                                                     }
                                                 },
                                                 true});
        group->addAction(action);
    }
    window.commands().add({id(kGroupRole), tr("Rows"), tr("Set the Role of a Process &Group..."), {}, [&window] {
                               chooseGroup(window);
                           }});
    checkGroupingCommands(window);
}

void checkGroupingCommands(MainWindow& window) {
    std::vector<Role> known;
    for (const TimelineWidget* timeline : window.active().timelines()) {
        const std::vector<Role> dimensions = timeline->dimensions();
        known.insert(known.end(), dimensions.begin(), dimensions.end());
    }
    const bool groups = std::ranges::any_of(window.session().runs(),
                                            [](const auto& run) { return !run->facts.parallelism.groups.empty(); });
    window.commands().action(id(kGroupRole))->setEnabled(groups);
    window.commands()
        .action(id(kGroupRole))
        ->setToolTip(groups ? QString() : plainTip(tr("No open run has process groups.")));
    const std::optional<Role> chosen = window.workspace().timeline().groupedBy();
    for (const Grouping& grouping : kGroupings) {
        const bool can =
            grouping.role ? std::ranges::find(known, *grouping.role) != known.end() : !window.session().runs().empty();
        QAction* action = window.commands().action(id(grouping.id));
        action->setEnabled(can);
        action->setToolTip(can ? QString() : plainTip(whyNot(window)));
        action->setChecked(grouping.role == chosen);
    }
}

void addGroupingMenu(MainWindow& window, QMenu* rows) {
    QMenu* menu = rows->addMenu(tr("Ranks under &Headings"));
    menu->setToolTipsVisible(true);
    std::vector<QString> ids;
    for (const Grouping& grouping : kGroupings) {
        ids.push_back(id(grouping.id));
    }
    ids.insert(ids.end(), {QString(), id(kGroupRole)});
    window.commands().fill(menu, ids);
}

}  // namespace rankscope::ui
