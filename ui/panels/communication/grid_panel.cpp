// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/grid_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/heat_legend.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/role_words.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {
namespace {

QString gridTitle(const JobGrid& grid) {
    QStringList dimensions;
    for (const GridDimension& dimension : grid.dimensions) {
        dimensions << GridPanel::tr("%1 %2", "a dimension of the grid, its size")
                          .arg(roleTitle(dimension.role))
                          .arg(dimension.size);
    }
    return dimensions.join(QStringLiteral(" \u00d7 "));
}

std::shared_ptr<const GridPicture> makePicture(const std::shared_ptr<const AnalysedRun>& of, const GridAxes& axes,
                                               RankMeasure measure, std::optional<Role> role, bool chosen) {
    auto picture = std::make_shared<GridPicture>();
    picture->of = of;
    picture->cells = cellsOf(*of, axes);
    // A slow stage of a pipeline is hardly late for anything; its passes are longer.
    picture->measure = !chosen && !of->facts.pipeline.pipelines.empty() ? RankMeasure::InPasses : measure;
    picture->role = role;
    picture->shown = rankValues(*of, picture->measure, role);
    if (!chosen && !picture->shown.median) {  // an unknown value is only shown if the user chose it
        picture->measure = RankMeasure::ExposedCommunication;
        picture->shown = rankValues(*of, picture->measure, role);
    }
    for (std::size_t m = 0; m < kRankMeasureCount; ++m) {
        picture->values.at(m) = rankValues(*of, static_cast<RankMeasure>(m));
    }
    return picture;
}

}  // namespace

GridPanel::GridPanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      title_(plainLabel()),
      about_(plainLabel()),
      notes_(plainLabel()),
      shade_box_(new QComboBox),
      across_(new QComboBox),
      down_(new QComboBox),
      legend_(new HeatLegend(theme)),
      map_(new GridMap(theme)),
      scroll_(new QScrollArea),
      groups_(new GroupsView(theme)),
      split_(new TurningSplitter(tr("Map and groups"))) {
    notes_->setProperty("role", QStringLiteral("dim"));
    notes_->setWordWrap(true);
    scroll_->setWidget(map_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* left = new QWidget;
    auto* left_layout = new QVBoxLayout(left);
    left_layout->setContentsMargins(0, 0, 8, 0);
    left_layout->setSpacing(4);
    left_layout->addWidget(legend_);
    left_layout->addWidget(scroll_, 1);
    // The names of groups, their ranks and their exposed time must be readable; the cells of the map work at any size.
    split_->addEqual({left, groups_});
    wireChoices();
    setPage(makePanelHead(*title_, *about_, {&runBox(), shade_box_, across_, down_}), {notes_, split_});
    connect(map_, &GridMap::rankActivated, this, [this](RankPosition rank) { Q_EMIT rankActivated(runIndex(), rank); });
    connect(groups_, &GroupsView::groupChosen, this, [this](std::optional<std::size_t> group) {
        std::vector<RankPosition> members;
        if (const auto of = run(); of != nullptr && group) {
            const std::vector<RankNumber>& numbers = of->facts.parallelism.groups[*group].ranks;
            for (RankPosition rank{0}; rank < of->run->ranks.size(); ++rank) {
                const auto& number = of->run->ranks[rank]->rank;
                if (number && std::ranges::binary_search(numbers, *number)) {
                    members.push_back(rank);
                }
            }
        }
        map_->setMembers(std::move(members));
    });
    connect(groups_, &GroupsView::roleChosen, this,
            [this](const QString& group, std::optional<Role> role) { Q_EMIT roleChosen(runIndex(), group, role); });
    connect(groups_, &GroupsView::collectivesAsked, this,
            [this](std::uint32_t group) { Q_EMIT collectivesAsked(runIndex(), group); });
    offerChoices(nullptr);
}

void GridPanel::wireChoices() {
    shade_box_->setAccessibleName(tr("Colour cells by"));
    across_->setAccessibleName(tr("Dimension across"));
    down_->setAccessibleName(tr("Dimension down"));
    shade_box_->setToolTip(
        plainTip(tr("Colour cells by the median over a rank's complete, steady steps. Exposed communication uses the "
                    "mean, so that roles add up.")));
    connect(shade_box_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0 && index < static_cast<int>(shades_.size())) {
            shade_ = shades_[static_cast<std::size_t>(index)];
            shade_chosen_ = true;
            outdate();
        }
    });
    connect(across_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(down_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
}

void GridPanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    map_->setTheme(theme);
    groups_->setTheme(theme);
    legend_->setTheme(theme);
}

void GridPanel::setSelected(std::optional<std::pair<std::uint32_t, RankPosition>> rank) {
    selected_ = rank;
    outlineSelected();
}

void GridPanel::outlineSelected() {
    const bool here = selected_ && selected_->first == runIndex();
    map_->setSelected(here ? std::optional(selected_->second) : std::nullopt);
}

void GridPanel::setMeasure(RankMeasure measure, std::optional<Role> role) {
    offer();
    const auto at = std::ranges::find(shades_, Shade{measure, role});
    if (at != shades_.end()) {
        shade_box_->setCurrentIndex(static_cast<int>(at - shades_.begin()));
    }
}

// ---- choices

void GridPanel::offerChoices(const AnalysedRun* of) {
    const RunFacts none;
    const RunFacts& facts = of != nullptr ? of->facts : none;
    offerShades(facts);
    offerAxes(facts.parallelism.grid);
}

void GridPanel::offerShades(const RunFacts& facts) {
    shades_.clear();
    for (std::size_t m = 0; m < kRankMeasureCount; ++m) {
        const auto measure = static_cast<RankMeasure>(m);
        const bool of_pipeline = measure == RankMeasure::InPasses || measure == RankMeasure::Bubble;
        if (of_pipeline && facts.pipeline.pipelines.empty()) {
            continue;
        }
        shades_.push_back({measure, {}});
        for (std::size_t r = 0; measure == RankMeasure::ExposedCommunication && r < kRoleCount; ++r) {
            const auto role = static_cast<Role>(r);
            if (std::ranges::any_of(facts.parallelism.ranks,
                                    [role](const RankRoles& rank) { return rank.exposed[role] > 0; })) {
                shades_.push_back({measure, role});
            }
        }
    }
    const QSignalBlocker quiet(shade_box_);
    shade_box_->clear();
    for (const Shade& shade : shades_) {
        shade_box_->addItem(measureTitle(shade.measure, shade.role));
    }
    if (std::ranges::find(shades_, shade_) == shades_.end()) {
        shade_ = {};
        shade_chosen_ = false;
    }
    nameShade();
}

void GridPanel::nameShade() {
    const QSignalBlocker quiet(shade_box_);
    shade_box_->setCurrentIndex(static_cast<int>(std::ranges::find(shades_, shade_) - shades_.begin()));
}

// The chosen axes are kept while the grid has the same dimensions.
void GridPanel::offerAxes(const JobGrid& grid) {
    QStringList titles;
    for (const GridDimension& dimension : grid.dimensions) {
        titles << roleTitle(dimension.role);
    }
    const QSignalBlocker quiet_across(across_);
    const QSignalBlocker quiet_down(down_);
    QStringList before;
    for (int i = 0; i < across_->count(); ++i) {
        before << across_->itemData(i).toString();
    }
    across_->setVisible(titles.size() > 1);
    down_->setVisible(titles.size() > 1);
    if (before == titles) {
        return;
    }
    across_->clear();
    down_->clear();
    const GridAxes usual = defaultAxes(grid);
    for (const QString& title : titles) {
        across_->addItem(tr("Across: %1").arg(title), title);
        down_->addItem(tr("Down: %1").arg(title), title);
    }
    down_->addItem(tr("Down: nothing"));
    across_->setCurrentIndex(static_cast<int>(usual.across.value_or(0)));
    down_->setCurrentIndex(usual.down ? static_cast<int>(*usual.down) : down_->count() - 1);
}

GridAxes GridPanel::axes() const {
    GridAxes axes;
    if (across_->currentIndex() >= 0) {
        axes.across = static_cast<std::size_t>(across_->currentIndex());
    }
    const int down = down_->currentIndex();
    if (down >= 0 && down < across_->count() && down != across_->currentIndex()) {
        axes.down = static_cast<std::size_t>(down);
    }
    return axes;
}

GridChoice::Axes GridPanel::axesByRole() const {
    const auto of = run();
    const GridAxes shown = axes();
    const auto role_of = [&](const std::optional<std::size_t>& axis) {
        const bool there = of != nullptr && axis && *axis < of->facts.parallelism.grid.dimensions.size();
        return there ? std::optional(of->facts.parallelism.grid.dimensions[*axis].role) : std::nullopt;
    };
    return {role_of(shown.across), role_of(shown.down)};
}

GridChoice GridPanel::choice() const {
    GridChoice choice{.run = runIndex(), .axes = {}, .measure = {}, .role = {}};
    const auto of = run();
    if (of != nullptr && offered() && axes() != defaultAxes(of->facts.parallelism.grid)) {
        choice.axes = axesByRole();
    }
    if (shade_chosen_) {
        choice.measure = shade_.measure;
        choice.role = shade_.role;
    }
    return choice;
}

void GridPanel::setChoice(const GridChoice& choice) {
    runBox().setCurrentIndex(std::min(static_cast<int>(choice.run), runBox().count() - 1));
    offer();
    const auto of = run();
    if (of != nullptr && choice.axes) {
        const std::vector<GridDimension>& dimensions = of->facts.parallelism.grid.dimensions;
        const auto choose = [&dimensions](QComboBox& box, std::optional<Role> role) {
            const auto at =
                std::ranges::find_if(dimensions, [role](const GridDimension& each) { return each.role == role; });
            if (at != dimensions.end() || !role) {  // the last is followed by "nothing"
                box.setCurrentIndex(std::min(static_cast<int>(at - dimensions.begin()), box.count() - 1));
            }
        };
        choose(*across_, choice.axes->across);
        choose(*down_, choice.axes->down);
    }
    if (choice.measure) {
        setMeasure(*choice.measure, choice.role);
    }
}

// ---- contents

void GridPanel::showNothing(const QString& why) {
    title_->setText(why);
    about_->clear();
    notes_->hide();
    legend_->setScale({}, {}, false, false);
    map_->setPicture(nullptr);
    groups_->setRun(nullptr);
}

void GridPanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    work([of, axes = axes(), shade = shade_,
          chosen = shade_chosen_] { return makePicture(of, axes, shade.measure, shade.role, chosen); },
         [this](const auto& picture) { showPicture(picture); });
}

void GridPanel::showPicture(const std::shared_ptr<const GridPicture>& picture) {
    const AnalysedRun& of = *picture->of;
    const JobGrid& grid = of.facts.parallelism.grid;
    title_->setText(grid.dimensions.empty() ? tr("Ranks by number") : gridTitle(grid));
    const std::size_t ranks = of.run->ranks.size();
    about_->setText(
        grid.world_size > static_cast<std::int32_t>(ranks)
            ? tr("%1 of %2 ranks have a file").arg(count(ranks), count(static_cast<std::uint64_t>(grid.world_size)))
            : plural(tr("%n rank(s)", nullptr, static_cast<int>(ranks)), ranks));
    QStringList notes;
    for (const std::string& note : grid.notes) {
        notes << coreText(note);
    }
    notes_->setText(notes.join(QLatin1Char(' ')));
    notes_->setVisible(!notes.isEmpty());
    shade_ = {picture->measure, picture->role};
    nameShade();
    const bool unknown = std::ranges::any_of(picture->shown.of, [](const auto& value) { return !value; });
    const bool known = picture->shown.median.has_value();
    legend_->setScale(known ? measureText(picture->measure, picture->shown.from) : tr("unknown"),
                      known ? measureText(picture->measure, picture->shown.to) : tr("unknown"), unknown,
                      picture->cells.missing() > 0);
    map_->setPicture(picture);
    if (picture->of != groups_->run()) {
        groups_->setRun(picture->of);
    }
    outlineSelected();
}

void GridPanel::showProgress(const QString& words) {
    if (words.isEmpty()) {
        outdate();
    } else {
        about_->setText(words);
    }
}

QString GridPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + about_->text() + QLatin1Char('\n') +
           (notes_->isHidden() ? QString() : notes_->text());
}

}  // namespace rankscope::ui
