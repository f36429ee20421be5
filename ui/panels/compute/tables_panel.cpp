// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/tables_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFont>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/compute/name_tables.h"
#include "ui/panels/compute/statistics_table.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kNameWidth = 320;
constexpr int kFactWidth = 180;
constexpr int kWordWidth = 120;
constexpr int kNumberWidth = 96;
constexpr int kCellMargin = 2 * kCellPadding + 4;  // around the text of a cell
constexpr int kLettersMeasured = 600;              // letters of a text: longer ones fit no screen

/// The widest of the texts in these rows of a column.
int widestText(const DataTableModel& model, int column, const std::vector<int>& rows, const QFontMetrics& metrics) {
    int widest = 0;
    for (const int row : rows) {
        const QString words = model.index(row, column).data().toString().left(kLettersMeasured);
        widest = std::max(widest, metrics.horizontalAdvance(words));
    }
    return widest + kCellMargin;
}

bool isText(report::Unit unit) {
    return !report::isNumeric(unit) && unit != report::Unit::Flag;
}

}  // namespace

TablesPanel::TablesPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      names_(new DataTableModel(theme, this)),
      ranks_(new StatisticsModel(theme, this)),
      all_facts_(new DataTableModel(theme, this)),
      model_(names_),
      table_(new QTableView),
      kernels_(new QPushButton(tr("Kernels"))),
      operators_(new QPushButton(tr("Operators"))),
      statistics_(new QPushButton(tr("Over Ranks"))),
      more_(new QPushButton(tr("All Facts"))),
      run_(new QComboBox),
      rank_(new QComboBox),
      facts_(new QComboBox),
      filter_(new QLineEdit),
      about_(plainLabel()) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& letters) {
        order_.filter = letters.trimmed();
        refresh(false);
    });
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &TablesPanel::sortBy);
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) { activate(at.row()); });
    connect(rank_, &QComboBox::currentIndexChanged, this, [this] { refresh(true); });
    connect(facts_, &QComboBox::currentIndexChanged, this, [this] {
        order_.column = -1;
        refresh(true);
    });
    connect(run_, &QComboBox::currentIndexChanged, this, &TablesPanel::fillChoices);
    for (QPushButton* button : {kernels_, operators_, statistics_, more_}) {
        connect(button, &QPushButton::clicked, this, [this] {
            order_.column = -1;
            chooseModel();
            refresh(true);
        });
    }
    setRuns({});
}

void TablesPanel::layOut() {
    auto* either = new QButtonGroup(this);
    for (QPushButton* button : {kernels_, operators_, statistics_, more_}) {
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        either->addButton(button);
    }
    kernels_->setChecked(true);
    statistics_->setToolTip(
        plainTip(tr("Mean, minimum, maximum and standard deviation of each rank fact, and the worst rank")));
    more_->setToolTip(plainTip(
        tr("Every report table, without columns that are empty in this run. Enter on a row goes to its place.")));
    facts_->setAccessibleName(tr("Table"));
    facts_->setMaxVisibleItems(24);
    facts_->hide();
    run_->setAccessibleName(tr("Run"));
    rank_->setAccessibleName(tr("Rank"));
    filter_->setPlaceholderText(tr("Filter names"));
    filter_->setAccessibleName(tr("Filter names"));
    filter_->setToolTip(plainTip(
        tr("Shows rows with all of these words, in any case. Quote words to keep them together: \"all reduce\"")));
    filter_->setMaximumWidth(260);
    filter_->setClearButtonEnabled(true);
    auto* copy = new QPushButton(tr("Copy"));
    copy->setProperty("role", QStringLiteral("quiet"));
    copy->setToolTip(tr("Copy the selected rows (Ctrl+C)"));
    connect(copy, &QPushButton::clicked, this, [this] { copySelection(*table_); });
    table_->setModel(model_);
    table_->setAccessibleName(tr("Names with their times"));
    dressTable(*table_);
    fit_ = new ColumnFit(*table_);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    addSortAction(*table_, [this](int column) { sortBy(column); });
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    table_->horizontalHeader()->setSectionsClickable(true);
    table_->horizontalHeader()->setSortIndicatorShown(false);
    about_->setProperty("role", QStringLiteral("dim"));
    auto* line = new WrappingRow;
    line->setSpacing(6);
    line->addWidget(kernels_);
    line->addWidget(operators_);
    line->addWidget(statistics_);
    line->addWidget(more_);
    line->addWidget(facts_);
    line->addWidget(run_);
    line->addWidget(rank_);
    line->addWidget(filter_);
    line->addWidget(about_);
    auto* head = new QHBoxLayout;
    head->addLayout(line, 1);
    head->addWidget(copy, 0, Qt::AlignTop);
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(table_, 1);
}

void TablesPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    offerRuns(*run_, runs);
    fillChoices();
}

void TablesPanel::setCompanions(const JobCompanions& companions) {
    if (companions != companions_) {
        companions_ = companions;
        fillChoices();
    }
}

void TablesPanel::fillChoices() {
    if (isVisible()) {  // otherwise when it becomes visible: there may be hundreds of ranks, announced with each file
        const std::uint32_t run = chosenRun(*run_);
        const AnalysedRun* const of = run < runs_.size() ? runs_[run].get() : nullptr;
        offerRanks(*rank_, of);
        offerFacts(*facts_, of, companions_);
    }
    refresh(true);
}

void TablesPanel::showNames(bool names) {
    if (!names) {
        more_->click();
    } else if (model_ != names_) {
        kernels_->click();
    }
}

TablesPanel::Kind TablesPanel::kind() const {
    return kernels_->isChecked()     ? Kind::Kernels
           : operators_->isChecked() ? Kind::Operators
           : more_->isChecked()      ? Kind::Facts
                                     : Kind::Statistics;
}

TablesPanel::Choice TablesPanel::choice() const {
    return {kind(), chosenRank(*rank_), static_cast<std::size_t>(facts_->currentData().toUInt())};
}

void TablesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) {
        fillChoices();
    }
}

void TablesPanel::sortBy(int column) {
    order_.descending = order_.column == column ? !order_.descending : column != 0;
    order_.column = column;
    table_->horizontalHeader()->setSortIndicatorShown(true);
    table_->horizontalHeader()->setSortIndicator(column, order_.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    refresh(false);
}

void TablesPanel::refresh(bool other_table) {
    stale_ = stale_ || other_table;
    const std::uint32_t index = chosenRun(*run_);
    if (index >= runs_.size()) {
        job_.forget();
        take(nullptr, {});
        return;
    }
    if (!isVisible()) {
        return;  // it is created when it becomes visible
    }
    auto made = stale_ ? nullptr : model_->table();
    job_.start([this, made, places = places_, run = runs_[index], what = choice(), companions = companions_,
                order = order_](const std::stop_token&) mutable {
        auto table = made;
        if (!table) {
            FactTable fresh = make(*run, what, companions);
            table = std::make_shared<const report::DataTable>(std::move(fresh.table));
            places = std::move(fresh.places);
        }
        auto rows = rowsOf(*table, order);
        auto longest = what.kind == Kind::Facts ? longestTexts(*table, rows) : std::vector<std::vector<int>>();
        return LatestJob::Show(
            [this, table, places = std::move(places), rows = std::move(rows), longest = std::move(longest)] {
                stale_ = false;
                places_ = places;
                longest_ = longest;
                take(table, rows);
            });
    });
}

void TablesPanel::take(const std::shared_ptr<const report::DataTable>& table, std::vector<std::uint32_t> rows) {
    const bool other = !table || !model_->table() || model_->table()->name != table->name ||
                       model_->table()->columns.size() != table->columns.size();
    const bool fresh = model_->table() != table;
    if (other) {
        texts_.clear();  // they belong to other columns
    }
    model_->set(table, std::move(rows));
    table_->setVisible(table != nullptr && !table->rows.empty());
    about_->setText(aboutOf(table.get()));
    if (other && table && !table->rows.empty()) {
        setFirstWidths(*table);
        table_->horizontalHeader()->setSortIndicatorShown(order_.column >= 0);
    } else if (model_ != all_facts_) {
        fit_->fit();
    }
    const bool more = fresh || model_->rowCount() > rows_measured_;  // a filter that leaves fewer rows moves no column
    if (more && table && model_ == all_facts_) {
        widenToNumbers();
        measureTexts(!other);
        fillWithTexts();
    }
}

void TablesPanel::setFirstWidths(const report::DataTable& table) {
    const bool facts = model_ == all_facts_;
    std::vector<int> usual;
    for (int column = 0; column < model_->columnCount(); ++column) {
        const report::Unit unit = table.columns[static_cast<std::size_t>(column)].unit;
        const bool number = report::isNumeric(unit) || (model_ == ranks_ && column > 0);
        const bool named = facts ? unit == report::Unit::Name || unit == report::Unit::Text : column == 0;
        usual.push_back(named ? (facts ? kFactWidth : kNameWidth) : number ? kNumberWidth : kWordWidth);
    }
    if (!facts) {
        fit_->setPreferred(std::move(usual), 0, kLeastOfName);
        return;
    }
    fit_->setPreferred({});
    for (int column = 0; column < model_->columnCount(); ++column) {
        table_->setColumnWidth(column, static_cast<int>(usual[static_cast<std::size_t>(column)] * grownBy(*table_)));
    }
    widenToTitles(*table_);
}

void TablesPanel::widenToNumbers() {
    const QFontMetrics digits(model_->theme().mono_font);
    for (int column = 0; column < model_->columnCount(); ++column) {
        if (report::isNumeric(model_->table()->columns[static_cast<std::size_t>(column)].unit)) {
            const int widest = widestText(*model_, column, longest_[static_cast<std::size_t>(column)], digits);
            table_->setColumnWidth(column, std::max(table_->columnWidth(column), widest));
        }
    }
}

QString TablesPanel::aboutOf(const report::DataTable* table) const {
    if (table == nullptr || table->rows.empty()) {
        return runs_.empty()                ? tr("Open a run to see its kernels and operators.")
               : kind() == Kind::Statistics ? tr("Statistics need at least two ranks.")
               : kind() == Kind::Facts      ? tr("None in this run.")
                                            : tr("None recorded. Record ProfilerActivity.CUDA and CPU.");
    }
    const QString shown = ui::count(static_cast<std::uint64_t>(model_->rowCount()));
    const auto rows = static_cast<int>(table->rows.size());
    const QString all = kind() == Kind::Statistics ? tr("%1 of %n fact(s)", nullptr, rows)
                        : kind() == Kind::Facts    ? tr("%1 of %n row(s)", nullptr, rows)
                                                   : tr("%1 of %n name(s)", nullptr, rows);
    return plural(all, table->rows.size()).arg(shown);
}

FactTable TablesPanel::make(const AnalysedRun& run, const Choice& what, const JobCompanions& companions) {
    switch (what.kind) {
        case Kind::Kernels: return {kernelTable(run, what.rank), {}};
        case Kind::Operators: return {operatorTable(run, what.rank), {}};
        case Kind::Facts: return makeFacts(run, what.facts, companions);
        case Kind::Statistics: break;
    }
    FactTable made{statisticsTable(run), {}};
    for (const std::optional<RankPosition> worst : worstRanks(run)) {
        made.places.push_back({worst, {}, {}});
    }
    return made;
}

void TablesPanel::chooseModel() {
    DataTableModel* const wanted = kind() == Kind::Statistics ? ranks_ : kind() == Kind::Facts ? all_facts_ : names_;
    const bool names = wanted == names_;
    rank_->setVisible(names);
    facts_->setVisible(kind() == Kind::Facts);
    order_.everywhere = kind() == Kind::Facts;
    filter_->setPlaceholderText(order_.everywhere ? tr("Filter rows") : tr("Filter names"));
    filter_->setAccessibleName(filter_->placeholderText());
    if (std::exchange(model_, wanted) != wanted) {
        model_->set(nullptr, {});  // its columns get new widths
        texts_.clear();
        table_->setModel(model_);
        table_->setAccessibleName(kind() == Kind::Statistics ? tr("Statistics over ranks")
                                  : names                    ? tr("Names with their times")
                                                             : tr("Facts of the run"));
    }
}

void TablesPanel::activate(int row) {
    if (model_ == names_) {
        Q_EMIT nameActivated(model_->name(row));
        return;
    }
    const std::size_t of = model_->sourceRow(row);
    if (of >= places_.size() || !places_[of].rank) {
        return;
    }
    const FactPlace& place = places_[of];
    const std::uint32_t run = chosenRun(*run_);
    if (!place.span.empty()) {
        Q_EMIT spanActivated(run, *place.rank, place.span);
    } else if (place.step) {
        Q_EMIT stepActivated(run, *place.rank, *place.step);
    } else {
        Q_EMIT rankActivated(run, *place.rank);
    }
}

void TablesPanel::measureTexts(bool again) {
    const std::vector<TextColumn> before = std::exchange(texts_, {});
    rows_measured_ = model_->rowCount();
    for (int column = 0; column < model_->columnCount(); ++column) {
        const report::Unit unit = model_->table()->columns[static_cast<std::size_t>(column)].unit;
        if (!isText(unit)) {
            continue;
        }
        const int title = table_->horizontalHeader()->sectionSizeHint(column);
        const int wanted = std::max(
            title, widestText(*model_, column, longest_[static_cast<std::size_t>(column)], table_->fontMetrics()));
        const int usual = static_cast<int>((unit == report::Unit::Word ? kWordWidth : kFactWidth) * grownBy(*table_));
        const auto same = std::ranges::find(before, column, &TextColumn::column);
        const bool known = again && same != before.end();
        texts_.push_back({column, std::max(title, std::min(usual, wanted)), wanted,
                          known ? same->given : table_->columnWidth(column)});
    }
}

void TablesPanel::fillWithTexts() {
    int room = table_->viewport()->width();
    for (int column = 0; column < model_->columnCount(); ++column) {
        room -= table_->columnWidth(column);
    }
    std::vector<TextColumn*> ours;
    for (TextColumn& one : texts_) {
        if (table_->columnWidth(one.column) == one.given) {
            room += one.given - one.least;
            ours.push_back(&one);
        }
    }
    // Those that need least come first: the rest of their share goes to the others.
    const auto needed = [](const TextColumn* one) { return one->wanted - one->least; };
    std::ranges::stable_sort(ours, {}, needed);
    auto left = static_cast<int>(ours.size());
    for (TextColumn* const one : ours) {
        const int more = std::clamp(room / left, 0, needed(one));
        table_->setColumnWidth(one->column, one->least + more);
        one->given = table_->columnWidth(one->column);
        room -= more;
        --left;
    }
}

void TablesPanel::setTheme(const Theme& theme) {
    names_->setTheme(theme);
    ranks_->setTheme(theme);
    all_facts_->setTheme(theme);
    fit_->setTheme(theme);
    if (model_ == all_facts_ && model_->table()) {
        measureTexts(false);
        fillWithTexts();
    }
}

bool TablesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize && model_ == all_facts_) {
        fillWithTexts();
    }
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copySelection(*table_);
            return true;
        }
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && table_->currentIndex().isValid()) {
            activate(table_->currentIndex().row());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace rankscope::ui
