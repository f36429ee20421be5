// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/calls_panel.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/compute/call_tree_model.h"
#include "ui/panels/compute/call_words.h"
#include "ui/panels/compute/flame_view.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"
#include "ui/timeline/selection/slice_step.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastNumberColumn = 104;
constexpr int kAroundWords = 2 * kCellPadding + 2;
constexpr int kLongestNameHere = 80;

/// The width of the longest text that shows a difference.
int wordsWidth(const QFontMetrics& metrics) {
    return metrics.horizontalAdvance(CallsPanel::tr("%1 more").arg(QStringLiteral("1,234.5 ms"))) + kAroundWords;
}

/// The width of a time or a count.
int numberWidth(const QFontMetrics& metrics) {
    int widest = 0;
    for (const char* number : {"888.8 ms", "88,888,888"}) {
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1String(number)));
    }
    return std::max(kLeastNumberColumn, widest + kAroundWords);
}

QComboBox* choice(const QString& name, const QStringList& words) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(plainTip(name));
    box->addItems(words);
    return box;
}

/// The step that contains a slice, as its rank counts steps.
std::optional<std::int64_t> stepAround(const AnalysedRun& run, const SliceSelection& slice) {
    if (slice.rank >= run.facts.ranks.size() || !exists(run, slice.rank, slice.slice)) {
        return {};
    }
    const RankFacts& facts = run.facts.ranks[slice.rank];
    const auto step = stepOfSlice(*run.run->ranks[slice.rank], facts, slice.slice);
    return step ? std::optional(facts.steps[*step].index) : std::nullopt;
}

}  // namespace

CallsPanel::CallsPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      model_(new CallTreeModel(this)),
      flame_(new FlameView(theme)),
      tree_(new QTreeView),
      pages_(new QStackedWidget),
      as_flame_(new QPushButton(tr("Flame graph"))),
      as_tree_(new QPushButton(tr("Call tree"))),
      run_(choice(tr("Run"), {})),
      rank_(choice(tr("Rank"), {})),
      time_(choice(tr("Time range of the calls"), {})),
      source_(choice(tr("Kind of call"), {tr("All calls"), tr("Operators"), tr("Python"), tr("Modules")})),
      order_(choice(tr("Direction"), {tr("Top down"), tr("Bottom up")})),
      measure_(choice(tr("Measure"), {tr("CPU time"), tr("GPU time")})),
      before_(choice(tr("Another run to compare with"), {})),
      fold_(new QPushButton(tr("Fold"))),
      filter_(new QLineEdit),
      about_(new ElidedLabel("dim")) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    wire();
    setRuns({});
}

void CallsPanel::layOut() {
    auto* either = new QButtonGroup(this);
    for (QPushButton* button : {as_flame_, as_tree_}) {
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        either->addButton(button);
    }
    as_flame_->setChecked(true);
    source_->setItemData(0, static_cast<int>(CallSource::Both));
    source_->setItemData(1, static_cast<int>(CallSource::Operators));
    source_->setItemData(2, static_cast<int>(CallSource::Python));
    source_->setItemData(3, static_cast<int>(CallSource::Modules));
    fold_->setCheckable(true);
    fold_->setChecked(true);
    fold_->setProperty("role", QStringLiteral("choice"));
    fold_->setToolTip(tr("Merge Python frames that only pass a call on into what they call"));
    filter_->setPlaceholderText(tr("Filter names"));
    filter_->setAccessibleName(tr("Filter names"));
    filter_->setClearButtonEnabled(true);
    filter_->setMinimumWidth(110);
    filter_->setMaximumWidth(220);
    tree_->setModel(model_);
    tree_->setAccessibleName(tr("Calls with their times"));
    tree_->setUniformRowHeights(true);
    tree_->setAllColumnsShowFocus(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    tree_->header()->setStretchLastSection(false);
    dressTitles(*tree_->header());
    tree_->installEventFilter(this);
    pages_->addWidget(flame_);
    pages_->addWidget(tree_);
    auto* line = new WrappingRow;
    line->setSpacing(6);
    for (QWidget* part :
         std::initializer_list<QWidget*>{as_flame_, as_tree_, run_, rank_, time_, source_, order_, measure_, fold_}) {
        line->addWidget(part);
    }
    for (QComboBox* box : {run_, rank_, time_, source_, order_, measure_, before_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    }
    line->addWidget(filter_);
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(8, 6, 8, 4);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(pages_, 1);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(12);
    foot->addWidget(about_, 1);
    foot->addWidget(before_);
    layout->addLayout(foot);
}

void CallsPanel::wire() {
    connect(as_flame_, &QPushButton::clicked, pages_, [this] { pages_->setCurrentWidget(flame_); });
    connect(as_tree_, &QPushButton::clicked, pages_, [this] { pages_->setCurrentWidget(tree_); });
    connect(run_, &QComboBox::currentIndexChanged, this, &CallsPanel::fillChoices);
    for (QComboBox* box : {rank_, time_, source_, order_, measure_, before_}) {
        connect(box, &QComboBox::currentIndexChanged, this, &CallsPanel::refresh);
    }
    connect(fold_, &QPushButton::toggled, this, &CallsPanel::refresh);
    connect(filter_, &QLineEdit::textChanged, flame_, &FlameView::setFilter);
    connect(flame_, &FlameView::nodeChosen, this, &CallsPanel::goTo);
    connect(flame_, &FlameView::menuAsked, this, &CallsPanel::showMenu);
    connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& at) { goTo(CallTreeModel::nodeOf(at)); });
    connect(tree_, &QTreeView::customContextMenuRequested, this, [this](const QPoint& at) {
        const QModelIndex row = tree_->indexAt(at);
        if (row.isValid()) {
            showMenu(CallTreeModel::nodeOf(row), tree_->viewport()->mapToGlobal(at));
        }
    });
}

void CallsPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    if (area_ && area_->run >= runs.size()) {
        area_.reset();
    }
    offerRuns(*run_, runs);
    fillChoices();
}

void CallsPanel::fillChoices() {
    const std::uint32_t run = chosenRun(*run_);
    if (isVisible()) {  // otherwise when it becomes visible: there may be hundreds of ranks, announced with each file
        fillRanks();
    }
    {
        const QSignalBlocker quiet(before_);
        const QVariant at = before_->currentData();
        before_->clear();
        before_->addItem(tr("Not compared"));
        for (std::size_t other = 0; other < runs_.size(); ++other) {
            if (other != run) {
                before_->addItem(tr("Against %1").arg(text(runs_[other]->run->name)), static_cast<qulonglong>(other));
            }
        }
        before_->setCurrentIndex(at.isValid() ? std::max(0, before_->findData(at)) : 0);
        before_->setVisible(before_->count() > 1);
    }
    fillTimes();
    refresh();
}

void CallsPanel::fillRanks() {
    const std::uint32_t run = chosenRun(*run_);
    offerRanks(*rank_, run < runs_.size() ? runs_[run].get() : nullptr);
}

bool CallsPanel::hasStep() const {
    const std::uint32_t run = chosenRun(*run_);
    return step_ && run < runs_.size() && std::ranges::any_of(runs_[run]->facts.ranks, [this](const RankFacts& rank) {
               return std::ranges::find(rank.steps, *step_, &RankStep::index) != rank.steps.end();
           });
}

void CallsPanel::fillTimes() {
    if (!hasStep()) {
        step_.reset();  // it belongs to a run that is closed, or not to the chosen one
    }
    const QSignalBlocker quiet(time_);
    const QVariant at = time_->currentData();
    time_->clear();
    time_->addItem(tr("All time"), static_cast<int>(CallTime::All));
    if (step_) {
        time_->addItem(tr("Step %1").arg(*step_), static_cast<int>(CallTime::Step));
    }
    if (area_ && static_cast<int>(area_->run) == run_->currentIndex()) {
        time_->addItem(tr("Drawn area"), static_cast<int>(CallTime::Area));
    }
    time_->setCurrentIndex(at.isValid() ? std::max(0, time_->findData(at)) : 0);
}

void CallsPanel::setArea(const std::optional<AreaSelection>& area) {
    area_ = area;
    const bool of_area = time_->currentData().toInt() == static_cast<int>(CallTime::Area);
    fillTimes();
    if (of_area) {
        refresh();
    }
}

void CallsPanel::setSlice(const SliceSelection& slice) {
    if (slice.run >= runs_.size()) {
        return;
    }
    const auto step = stepAround(*runs_[slice.run], slice);
    // The user's choice keeps its position while the calls of one step are viewed.
    const bool of_step = time_->currentData().toInt() == static_cast<int>(CallTime::Step);
    if (step && !of_step) {
        step_ = step;
        fillTimes();
    }
}

void CallsPanel::showSlice(const SliceSelection& slice) {
    if (slice.run >= runs_.size()) {
        return;
    }
    {
        const QSignalBlocker quiet(run_);
        run_->setCurrentIndex(static_cast<int>(slice.run));
    }
    const QSignalBlocker quiet_order(order_);
    const QSignalBlocker quiet_rank(rank_);
    const QSignalBlocker quiet_time(time_);
    fillChoices();
    fillRanks();
    order_->setCurrentIndex(0);
    rank_->setCurrentIndex(static_cast<int>(slice.rank) + 1);
    time_->setCurrentIndex(0);
    wanted_ = slice;
    refresh();
}

QString CallsPanel::summary() const {
    return about_->text();
}

void CallsPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    flame_->setTheme(theme);
    tree_->setFont(theme.ui_font);
    setWidths();
}

void CallsPanel::setWidths() {
    const QFontMetrics metrics(theme_.ui_font);
    QHeaderView& titles = *tree_->header();
    titles.ensurePolished();  // the style makes them bold
    for (int column = 0; column < model_->columnCount(); ++column) {
        titles.setSectionResizeMode(column,
                                    column == CallTreeModel::Name ? QHeaderView::Stretch : QHeaderView::Interactive);
        const int wanted = column == CallTreeModel::More ? wordsWidth(metrics) : numberWidth(metrics);
        tree_->setColumnWidth(column, std::max(wanted, titles.sectionSizeHint(column)));
    }
}

void CallsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) {
        fillChoices();
    }
}

CallsRequest CallsPanel::request() const {
    CallsRequest asked;
    asked.run = runs_[chosenRun(*run_)];
    asked.rank = chosenRank(*rank_);
    asked.time = static_cast<CallTime>(time_->currentData().toInt());
    asked.step = step_.value_or(0);
    if (area_) {
        asked.area = area_->area;
    }
    asked.source = static_cast<CallSource>(source_->currentData().toInt());
    asked.measure = measure_->currentIndex() == 0 ? CallMeasure::Host : CallMeasure::Device;
    asked.bottom_up = order_->currentIndex() == 1;
    asked.fold = fold_->isChecked();
    if (before_->currentIndex() > 0) {
        asked.before = runs_[before_->currentData().toULongLong()];
    }
    return asked;
}

void CallsPanel::refresh() {
    stale_ = true;
    if (runs_.empty()) {
        job_.forget();
        take(nullptr);
        return;
    }
    if (!isVisible()) {
        return;  // they are added up when they become visible
    }
    job_.start([this, asked = request()](const std::stop_token& stop) -> LatestJob::Show {
        Result<ShownCalls> made = showCalls(asked, stop);
        if (!made.ok()) {
            return {};
        }
        auto calls = std::make_shared<const ShownCalls>(std::move(made).value());
        return [this, calls] {
            stale_ = false;
            take(calls);
        };
    });
}

void CallsPanel::take(std::shared_ptr<const ShownCalls> calls) {
    calls_ = std::move(calls);
    flame_->setCalls(calls_);
    model_->setCalls(calls_);
    setWidths();
    // Bottom up, all of it is a row's own time, and the time of the callers is their own: the column has nothing to
    // show.
    tree_->setColumnHidden(CallTreeModel::Own, calls_ && calls_->bottom_up);
    if (!calls_ || calls_->tree.root().value(calls_->measure) <= 0) {
        about_->setText(whyNone());
        about_->setToolTip(plainTip({}));  // its own tool tip if the text does not fit
        return;
    }
    tree_->expand(model_->index(0, 0));
    tell(0);
    findWanted();
}

QString CallsPanel::whyNone() const {
    if (runs_.empty()) {
        return tr("Open a run to see its calls.");
    }
    if (time_->currentData().toInt() == static_cast<int>(CallTime::Area)) {
        return tr("No such call in the area. Draw it over CPU threads.");
    }
    if (source_->currentData().toInt() == static_cast<int>(CallSource::Python)) {
        return tr("No Python function is recorded there. Record with torch.profiler.profile(with_stack=True).");
    }
    if (source_->currentData().toInt() == static_cast<int>(CallSource::Modules)) {
        return tr("No module is recorded there. Record with torch.profiler.profile(with_stack=True).");
    }
    return tr("No such call is recorded there.");
}

void CallsPanel::findWanted() {
    if (!wanted_) {
        return;
    }
    const SliceSelection slice = *std::exchange(wanted_, std::nullopt);
    if (slice.run >= runs_.size() || !exists(*runs_[slice.run], slice.rank, slice.slice)) {
        return;
    }
    const auto path = callPathOf(*runs_[slice.run]->run->ranks[slice.rank], slice.slice, request().source);
    const std::uint32_t node = furthestOn(calls_->tree, path);
    flame_->zoomTo(node);
    choose(node);
}

void CallsPanel::choose(std::uint32_t node) {
    flame_->choose(node);
    const QModelIndex row = model_->indexOf(node);
    if (row.isValid()) {
        tree_->setCurrentIndex(row);
    }
    tell(node);
}

void CallsPanel::tell(std::uint32_t node) {
    QStringList lines = callTip(*calls_, calls_->tree.nodes[node]).split(QLatin1Char('\n'));
    const qsizetype folded = calls_->tree.nodes[node].through.empty()
                                 ? lines.size()
                                 : lines.size() - static_cast<qsizetype>(calls_->tree.nodes[node].through.size()) - 1;
    lines = lines.mid(0, folded);
    lines.front() = nameInLine(lines.front().toStdString(), kLongestNameHere);
    if (calls_->compared && node == 0) {
        lines.append(!calls_->scaled_by_steps ? tr("the other run scaled to the same total")
                     : calls_->scale == 1.0   ? tr("both runs have as many steps")
                                              : tr("other run scaled to this step count"));
    }
    const QString words = lines.join(QStringLiteral("  ·  "));
    about_->setText(words);
    about_->setToolTip(plainTip(words));  // not everything may fit
}

void CallsPanel::goTo(std::uint32_t node) {
    choose(node);
    const CallNode& chosen = calls_->tree.nodes[node];
    if (chosen.longest.valid()) {
        Q_EMIT sliceActivated({chosenRun(*run_), chosen.rank, chosen.longest});
    }
}

void CallsPanel::showMenu(std::uint32_t node, const QPoint& at) {
    choose(node);
    const CallNode& chosen = calls_->tree.nodes[node];
    QMenu menu;
    menu.addAction(tr("Show It &Alone"), this, [this, node] { flame_->zoomTo(node); });
    menu.addAction(tr("Show &All Again"), this, [this] { flame_->zoomTo(0); })->setEnabled(flame_->top() != 0);
    menu.addSeparator();
    menu.addAction(tr("Go to the &Longest Slice"), this, [this, node] { goTo(node); })
        ->setEnabled(chosen.longest.valid());
    const QString name = callName(calls_->tree, chosen);
    menu.addAction(tr("&Find All Slices of the Name"), this, [this, name] { Q_EMIT nameActivated(name); })
        ->setEnabled(node != 0);
    menu.addSeparator();
    menu.addAction(tr("&Copy the Name"), this, [name] { QGuiApplication::clipboard()->setText(name); });
    const QString path = callPath(calls_->tree, chosen);
    menu.addAction(tr("Copy the &Path of Calls"), this, [path] { QGuiApplication::clipboard()->setText(path); })
        ->setEnabled(node != 0);
    menu.exec(at);
}

bool CallsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == tree_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && tree_->currentIndex().isValid()) {
            goTo(CallTreeModel::nodeOf(tree_->currentIndex()));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace rankscope::ui
