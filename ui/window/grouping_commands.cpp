// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/grouping_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "ui/commands/command_registry.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/command_words.h"
#include "ui/window/main_window.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

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
               ? tr("No open run has groups of this role whose members are known: see the panel Grid.")
               : tr("No run is open.");
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
                                                     for (TimelineWidget* timeline : window.timelines()) {
                                                         timeline->setGroupedBy(role);
                                                     }
                                                 },
                                                 true});
        group->addAction(action);
    }
    checkGroupingCommands(window);
}

void checkGroupingCommands(MainWindow& window) {
    std::vector<Role> known;
    for (const TimelineWidget* timeline : window.timelines()) {
        const std::vector<Role> dimensions = timeline->dimensions();
        known.insert(known.end(), dimensions.begin(), dimensions.end());
    }
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
    window.commands().fill(menu, ids);
}

}  // namespace rankscope::ui
