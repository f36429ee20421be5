// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps/path_panel.h"

#include <QComboBox>
#include <QFont>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QPixmap>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/path_sums.h"
#include "core/base/format.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/sum_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"
#include "ui/theme/text_scale.h"
#include "ui/timeline/navigation/tooltip.h"
#include "ui/timeline/selection/step_path.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/figure_delegate.h"
#include "ui/widgets/keyed_splitter.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

constexpr int kStretchRole = Qt::UserRole;  // role of the first cell of a row: its longest stretch
constexpr int kPatch = 10;                  // pixels

QColor colourOf(const PathPart& part, const Theme& theme) {
    switch (part.kind) {
        case PathKind::Compute: return colourOf(Swatch::Compute, theme);
        case PathKind::Transfer: return colourOf(Swatch::Communication, theme);
        case PathKind::Copy: return colourOf(Swatch::Copy, theme);
        case PathKind::Unsplit: return colourOf(Swatch::Unsplit, theme);
        case PathKind::Idle: return causeColour(part.cause, theme);
        case PathKind::Unknown: break;
    }
    return theme.text_dim;
}

/// A patch of a colour, as in the bar.
QPixmap patchOf(const QColor& colour) {
    QPixmap patch(kPatch, kPatch);
    patch.fill(colour);
    return patch;
}

NumberItem* shareItem(DurationNs ns, DurationNs all_ns) {
    const double share = static_cast<double>(ns) / static_cast<double>(std::max<DurationNs>(1, all_ns));
    return new NumberItem(text(formatPercent(share)), ns, share);
}

/// Makes columns of numbers as wide as their numbers and titles. Qt reserves room in each title for the sort indicator:
/// in a small window that would leave too little for the last column, and cut its lengths.
void fitNumbers(QTableWidget& table) {
    const QFontMetrics figures = FigureDelegate::metricsOf(table);
    const QHeaderView& titles = *table.horizontalHeader();
    titles.ensurePolished();
    QFont bold = titles.font();
    bold.setBold(true);
    for (int column = 1; column + 1 < table.columnCount(); ++column) {
        int widest = QFontMetrics(bold).horizontalAdvance(table.horizontalHeaderItem(column)->text());
        for (int row = 0; row < table.rowCount(); ++row) {
            widest = std::max(widest, figures.horizontalAdvance(table.item(row, column)->text()));
        }
        table.setColumnWidth(column, widest + 2 * kCellPadding);
    }
}

int toSpin(std::int64_t index) {
    return static_cast<int>(std::clamp<std::int64_t>(index, 0, std::numeric_limits<int>::max()));
}

}  // namespace

PathPanel::PathPanel(const Theme& theme, QWidget* parent)
    : PagePanel(theme, parent),
      title_(plainLabel()),
      about_(plainLabel()),
      run_(new QComboBox),
      scope_(new QComboBox),
      step_(new QSpinBox),
      bar_(new StackedBar),
      parts_(makeSumTable({tr("What"), tr("Time"), tr("Share"), tr("Longest")}, tr("Critical path by part"))),
      ranks_(makeSumTable({tr("Rank"), tr("Time"), tr("Share"), tr("Turns"), tr("Longest")},
                          tr("Critical path by rank"))) {
    ranks_->horizontalHeaderItem(3)->setToolTip(
        plainTip(tr("How often the path moved to this rank because another one waited for it in a collective")));
    auto* split = new KeyedSplitter(Qt::Horizontal, tr("Sums by part and by rank"));
    for (QTableWidget* table : {parts_, ranks_}) {
        const int last = table->columnCount() - 1;
        FigureDelegate::dress(*table, theme);
        table->setSelectionMode(QAbstractItemView::SingleSelection);
        table->setTextElideMode(Qt::ElideRight);
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);  // numbers: as fitNumbers() has them
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
        table->horizontalHeader()->setSectionResizeMode(last, QHeaderView::Stretch);
        table->horizontalHeaderItem(last)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        table->setItemDelegateForColumn(last, new CellDelegate(table));  // a style would take a link's colour
        addTableMenu(*table);
        nameTimes(*table, {1});
        auto* copy = new QShortcut(QKeySequence::Copy, table);
        copy->setContext(Qt::WidgetShortcut);
        connect(copy, &QShortcut::activated, this, [table] { copySelection(*table); });
        connect(table, &QTableWidget::itemClicked, this, [this](const QTableWidgetItem* item) { goTo(*item); });
        connect(table, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) { goTo(*item); });
        split->addWidget(table);
    }
    // The names of parts are longer than those of ranks: the longest stretches of both must be visible in a small
    // window too.
    for (const auto& [table, share] : {std::pair(0, 55), std::pair(1, 45)}) {
        split->setStretchFactor(table, share);
    }
    split->setSizes({550, 450});
    wireChoices();
    setPage(makePanelHead(*title_, *about_, {run_, scope_, step_}), {bar_, split});
    setRuns({});
}

void PathPanel::wireChoices() {
    bar_->setAccessibleName(tr("Critical path by part"));
    run_->setAccessibleName(tr("Run"));
    scope_->setAccessibleName(tr("Critical path of"));
    step_->setAccessibleName(tr("Step"));
    scope_->addItems({tr("Step in view"), tr("One step"), tr("All steady steps")});  // as Scope
    scope_->setToolTip(plainTip(
        tr("The step of the selection, else the one in the middle of the timeline. Or any other step. Or all complete "
           "steps without outliers, as in the verdict.")));
    connect(run_, &QComboBox::currentIndexChanged, this, [this] {
        offerSteps();
        outdate();
    });
    connect(scope_, &QComboBox::currentIndexChanged, this, [this] {
        step_->setVisible(scope_->currentIndex() == kOneStep);
        outdate();
    });
    connect(step_, &QSpinBox::valueChanged, this, [this] { outdate(); });
}

void PathPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    in_view_.reset();  // it belonged to the previous runs; the timeline announces another one
    offerRuns(*run_, runs);
    offerSteps();
    step_->setVisible(scope_->currentIndex() == kOneStep);
    outdate();
}

void PathPanel::setTheme(const Theme& theme) {
    PagePanel::setTheme(theme);
    for (QTableWidget* table : {parts_, ranks_}) {
        FigureDelegate::dress(*table, theme);
    }
    outdate();
}

void PathPanel::setStepInView(const std::optional<StepSelection>& step) {
    in_view_ = step;
    if (scope_->currentIndex() == kStepInView) {
        outdate();
    }
}

void PathPanel::showSteadySteps(std::uint32_t run) {
    scope_->setCurrentIndex(kSteadySteps);  // set first: for the step in view, the step determines the run
    run_->setCurrentIndex(static_cast<int>(run));
}

std::shared_ptr<const AnalysedRun> PathPanel::run() const {
    const std::uint32_t at = chosenRun(*run_);
    return at < runs_.size() ? runs_[at] : nullptr;
}

void PathPanel::offerSteps() {
    const QSignalBlocker quiet(step_);
    const auto of = run();
    if (of != nullptr && !of->facts.steps.empty()) {
        step_->setRange(toSpin(of->facts.steps.front().index), toSpin(of->facts.steps.back().index));
    }
}

std::optional<StepSelection> PathPanel::step() const {
    if (scope_->currentIndex() == kStepInView) {
        const bool known =
            in_view_ && in_view_->run < runs_.size() && in_view_->step < runs_[in_view_->run]->facts.steps.size();
        return known ? in_view_ : std::nullopt;
    }
    const std::vector<RunStep>& steps = run()->facts.steps;
    const auto at = std::ranges::find_if(steps, [&](const RunStep& s) { return toSpin(s.index) >= step_->value(); });
    if (at == steps.end()) {
        return {};
    }
    return StepSelection{chosenRun(*run_), RunStepPosition(at - steps.begin())};
}

void PathPanel::refresh() {
    const auto of = run();
    run_->setEnabled(scope_->currentIndex() != kStepInView);
    if (of == nullptr) {
        job().forget();
        showNothing(tr("Open a run to see its critical path."), {});
        return;
    }
    const auto chosen = step();
    if (scope_->currentIndex() == kStepInView && chosen) {
        const QSignalBlocker quiet(run_);  // the step determines it
        run_->setCurrentIndex(static_cast<int>(chosen->run));
        offerSteps();
    }
    if (scope_->currentIndex() != kSteadySteps && !chosen) {
        job().forget();
        showNothing(tr("No step is in view."),
                    tr("Select something in a step, or move one to the middle of the timeline."));
        return;
    }
    const bool steady = scope_->currentIndex() == kSteadySteps;
    const PathRequest request =
        steady ? PathRequest{of, {chosenRun(*run_), {}}} : PathRequest{runs_[chosen->run], *chosen};
    work([request, steady] { return steady ? makeSteadyPath(request.of, request.at.run) : makeShownPath(request); },
         [this](const auto& path) { showPath(path); });
}

QString PathPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + about_->text();
}

void PathPanel::showNothing(const QString& why, const QString& what) {
    path_ = nullptr;
    title_->setText(why);
    about_->setText(what);
    bar_->setParts({});
    for (QTableWidget* table : {parts_, ranks_}) {
        table->setRowCount(0);
        fitNumbers(*table);  // to their titles
    }
}

void PathPanel::showPath(const std::shared_ptr<const ShownPath>& path) {
    const AnalysedRun& of = *path->of.of;
    if (path->path.stretches.empty()) {
        showNothing(tr("No critical path here."), path->steady
                                                      ? tr("No rank with GPU work has a complete, steady step.")
                                                      : tr("No rank has GPU work in this step."));
        return;
    }
    path_ = path;
    const DurationNs whole_ns = path->path.times().total();
    const auto steady =
        std::ranges::count_if(of.facts.steps, [](const RunStep& s) { return s.complete && !s.outlier; });
    const RunStep& step = of.facts.steps[path->of.at.step];
    title_->setText(path->steady ? tr("Critical path of %1 steady steps: %2").arg(steady).arg(duration(whole_ns))
                                 : tr("Critical path of step %1: %2").arg(step.index).arg(duration(whole_ns)));
    const std::size_t turns = path->path.turns.size();
    const QString end = rankName(*of.run, path->end);
    QStringList about{turns == 0   ? tr("on %1 only").arg(end)
                      : turns == 1 ? tr("ends on %1, turns once").arg(end)
                                   : tr("ends on %1, turns %2 times").arg(end).arg(turns)};
    if (!path->steady && !step.complete) {
        about.append(tr("the step is incomplete"));
    } else if (!path->steady && step.outlier) {
        about.append(tr("the step is not priced"));
    }
    about_->setText(about.join(QStringLiteral("  ·  ")));
    fillParts(*path);
    fillRanks(*path);
}

void PathPanel::fillParts(const ShownPath& path) {
    const std::vector<PathPart> parts = partsOfPath(path.path);
    const DurationNs whole_ns = path.path.times().total();
    std::vector<BarPart> bar;
    const TableFill fill(*parts_);
    parts_->setSortingEnabled(false);
    parts_->setRowCount(static_cast<int>(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PathPart& part = parts[i];
        const int row = static_cast<int>(i);
        const QString what = pathPartTitle(part.kind, part.cause);
        const QColor colour = colourOf(part, theme());
        auto* name = new QTableWidgetItem(what);
        name->setData(Qt::DecorationRole, patchOf(colour));
        parts_->setItem(row, 0, name);
        parts_->setItem(row, 1, timeItem(part.ns));
        parts_->setItem(row, 2, shareItem(part.ns, whole_ns));
        fillLongest(*parts_, row, path, part.longest);
        bar.push_back({part.ns, colour, what + QLatin1Char(' ') + duration(part.ns)});
    }
    bar_->setParts(std::move(bar));
    fitNumbers(*parts_);
    parts_->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);  // equal rows keep the order in which they
                                                                           // were added
    parts_->setSortingEnabled(true);
}

void PathPanel::fillRanks(const ShownPath& path) {
    const std::vector<PathShare> shares = ranksOfPath(path.path);
    const DurationNs whole_ns = path.path.times().total();
    const TableFill fill(*ranks_);
    ranks_->setSortingEnabled(false);
    ranks_->setRowCount(static_cast<int>(shares.size()));
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const PathShare& share = shares[i];
        const int row = static_cast<int>(i);
        auto* name = new NumberItem(rankName(*path.of.of->run, share.rank), share.rank);
        name->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        ranks_->setItem(row, 0, name);
        ranks_->setItem(row, 1, timeItem(share.ns));
        ranks_->setItem(row, 2, shareItem(share.ns, whole_ns));
        ranks_->setItem(row, 3, new NumberItem(count(share.turns), share.turns, qlonglong(share.turns)));
        fillLongest(*ranks_, row, path, share.longest);
    }
    fitNumbers(*ranks_);
    ranks_->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);
    ranks_->setSortingEnabled(true);
}

void PathPanel::fillLongest(QTableWidget& table, int row, const ShownPath& path, std::size_t stretch) const {
    const DurationNs ns = path.path.stretches[stretch].length();
    const DrawnStretch& drawn = path.drawn[stretch];
    table.item(row, 0)->setData(kStretchRole, static_cast<qulonglong>(stretch));
    QString words = duration(ns);
    auto* longest = new NumberItem(words, ns);
    longest->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (drawn.slice.valid()) {
        const std::string_view name = path.of.of->run->ranks[drawn.rank]->name(drawn.slice);
        const QString between = QStringLiteral("  ");
        longest->setText(words + between + nameInLine(name));
        words += between + text(name).simplified();
        longest->setForeground(theme().accent);
    }
    longest->setData(kWholeTextRole, words);
    longest->setToolTip(plainTip(words));
    table.setItem(row, table.columnCount() - 1, longest);
}

void PathPanel::goTo(const QTableWidgetItem& item) {
    const QTableWidgetItem* first = item.tableWidget() == nullptr ? nullptr : item.tableWidget()->item(item.row(), 0);
    const QVariant at = first == nullptr ? QVariant() : first->data(kStretchRole);
    if (path_ == nullptr || !at.isValid() || at.toULongLong() >= path_->drawn.size()) {
        return;
    }
    const DrawnStretch& drawn = path_->drawn[at.toULongLong()];
    if (drawn.slice.valid()) {
        Q_EMIT sliceActivated({path_->of.at.run, drawn.rank, drawn.slice});
    }
}

}  // namespace rankscope::ui
