// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/compare/compare_answer.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_strip.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/linked_timelines.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/widgets/keyed_splitter.h"
#include "ui/widgets/search_bar.h"

namespace rankscope::ui {
namespace {

constexpr int kPanelShare = 44;  // per cent of the height

}  // namespace

CompareView::CompareView(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent)
    : QWidget(parent),
      timelines_{new TimelineWidget(theme, nullptr, indices), new TimelineWidget(theme, nullptr, indices)},
      names_{plainLabel(), plainLabel()},
      linked_timelines_(new LinkedTimelines(*timelines_[0], *timelines_[1], this)),
      lookup_(new Lookup(this)),
      panel_(new ComparePanel(theme, indices)),
      answer_(new CompareAnswer),
      strip_(new CompareStrip),
      search_bar_(new SearchBar),
      search_(new Search(*search_bar_, panel_->hits(), {{timelines_[0], tr("A")}, {timelines_[1], tr("B")}}, this)),
      halves_(new KeyedSplitter(Qt::Horizontal, tr("Timelines of A and B"))),
      down_(new KeyedSplitter(Qt::Vertical, tr("Timelines and what changed"))) {
    layOut();
    wire();
    setActive(Side::A);
    showSteps();
}

QWidget* CompareView::half(Side side) {
    const auto at = static_cast<std::size_t>(side);
    names_[at]->setContentsMargins(16, 4, 16, 4);
    names_[at]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* box = new QWidget;
    box->setProperty("role", QStringLiteral("surface"));
    box->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(names_[at]);
    layout->addWidget(timelines_[at], 1);
    return box;
}

void CompareView::layOut() {
    halves_->addWidget(half(Side::A));
    halves_->addWidget(half(Side::B));
    down_->addWidget(halves_);
    down_->addWidget(panel_);
    down_->setStretchFactor(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(answer_);
    layout->addWidget(strip_);
    layout->addWidget(search_bar_);
    layout->addWidget(down_, 1);
    setTabOrder(search_bar_, timelines_[0]);
    setTabOrder(timelines_[0], timelines_[1]);
}

void CompareView::wire() {
    for (const Side side : {Side::A, Side::B}) {
        TimelineWidget& of = timeline(side);
        of.setAccessibleName(side == Side::A ? tr("Timeline of A") : tr("Timeline of B"));
        of.leaveKeysToShortcuts();
        of.installEventFilter(this);
        // Colours are compared too: both show the same measure.
        connect(&of.overview(), &Overview::measureChanged, &timeline(otherOf(side)).overview(), &Overview::setMeasure);
        connect(&of, &TimelineWidget::overviewHeightChanged, this, &CompareView::alignRows);
        connect(&of, &TimelineWidget::namesWidthChanged, &timeline(otherOf(side)), &TimelineWidget::setNamesWidth);
        connect(&of, &TimelineWidget::selectionChanged, this,
                [this, side](const Selection& selection) { select(side, selection); });
    }
    connect(strip_, &CompareStrip::linkToggled, this, [this] { setLinked(!linked()); });
    connect(strip_, &CompareStrip::phaseToggled, this, [this] { setByPhase(!byPhase()); });
    connect(strip_, &CompareStrip::stackToggled, this, [this] { setStacked(!stacked()); });
    connect(strip_, &CompareStrip::swapAsked, this, &CompareView::swapAsked);
    connect(strip_, &CompareStrip::leaveAsked, this, &CompareView::leaveAsked);
    connect(linked_timelines_, &LinkedTimelines::moved, this, &CompareView::showSteps);
    connect(lookup_, &Lookup::found, this, &CompareView::show);
    connect(panel_, &ComparePanel::asked, this, [this](const AskPlaces& ask) { lookup_->ask(ask); });
    connect(panel_, &ComparePanel::sliceActivated, this, [this](const SliceSelection& slice) {
        goTo(slice);
        panel_->showDetails();
    });
    connect(search_, &Search::hitChosen, this, &CompareView::goTo);
    setLinked(true);
    setStacked(false);
}

void CompareView::setSides(std::vector<SharedRun> a, std::vector<SharedRun> b) {
    if (a == a_ && b == b_) {
        return;
    }
    a_ = std::move(a);
    b_ = std::move(b);
    lookup_->setRuns(nullptr);
    if (a_.empty() || b_.empty()) {
        job_.forget();
        take(nullptr);
        return;
    }
    job_.start([this, of_a = a_, of_b = b_](const std::stop_token&) {
        auto made = ui::compared(of_a, of_b);
        return LatestJob::Show([this, made = std::move(made)] { take(made); });
    });
}

std::optional<Side> CompareView::sideAt(const QPoint& on_screen) const {
    if (!isVisible()) {
        return std::nullopt;
    }
    const QPoint at = halves_->mapFromGlobal(on_screen);
    const QRect first = halves_->widget(0)->geometry();
    const bool in_first = stacked() ? at.y() <= first.bottom() : at.x() <= first.right();
    return in_first ? Side::A : Side::B;
}

void CompareView::take(const std::shared_ptr<const ComparedRuns>& runs) {
    compared_ = runs;
    timeline(Side::A).setRuns(runs ? std::vector{runs->a} : std::vector<SharedRun>());
    timeline(Side::B).setRuns(runs ? std::vector{runs->b} : std::vector<SharedRun>());
    panel_->setRuns(runs);
    search_->setRuns(runs ? OpenRuns{runs->a, runs->b} : OpenRuns());
    lookup_->setRuns(runs);
    if (runs) {
        linked_timelines_->setSteps(runs->steps, runs->typical_step, runs->phases);
    } else {
        linked_timelines_->setSteps({}, std::nullopt);
    }
    showNames();
    answer_->setOutline(runs ? &runs->outline : nullptr);
}

void CompareView::setTheme(const Theme& theme) {
    for (TimelineWidget* timeline : timelines_) {
        timeline->setTheme(theme);
    }
    panel_->setTheme(theme);
}

void CompareView::setLinked(bool linked) {
    linked_timelines_->setLinked(linked);
    strip_->setLinked(linked);
    Q_EMIT arrangementChanged();
}

bool CompareView::linked() const {
    return linked_timelines_->linked();
}

void CompareView::setByPhase(bool by_phase) {
    linked_timelines_->setByPhase(by_phase);
    strip_->setByPhase(by_phase);
    Q_EMIT arrangementChanged();
}

bool CompareView::byPhase() const {
    return linked_timelines_->byPhase();
}

void CompareView::setStacked(bool stacked) {
    halves_->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
    halves_->setSizes({1000, 1000});
    strip_->setStacked(stacked);
    alignRows();
    // Queued: the timelines have their new height by then.
    QMetaObject::invokeMethod(this, &CompareView::keepSelectedInSight, Qt::QueuedConnection);
    Q_EMIT arrangementChanged();
}

void CompareView::alignRows() {
    const auto height = [this](Side side) { return timeline(side).overviewHeight(); };
    const int least = stacked() ? 0 : std::max(height(Side::A), height(Side::B));
    for (TimelineWidget* timeline : timelines_) {
        timeline->setLeastOverview(least);
    }
}

void CompareView::keepSelectedInSight() {
    for (TimelineWidget* timeline : timelines_) {
        timeline->keepSelectionInSight();
    }
}

bool CompareView::stacked() const {
    return halves_->orientation() == Qt::Vertical;
}

void CompareView::select(Side side, const Selection& selection) {
    setActive(side);
    timeline(otherOf(side)).select({});
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        panel_->details().showSlice({indexOf(side), slice->rank, slice->slice});
        panel_->showDetails();
    } else {
        panel_->details().clear();
    }
    // Clicked after the slice that it stands for, a stretch would say and show what is there already.
    QString stands_for;
    if (const auto* band = std::get_if<BandSelection>(&selection)) {
        const QString length = duration(timeline(side).spanOf(selection).length());
        stands_for = band->kind == BandKind::Overlap
                         ? tr("Communication under compute for %1. Its longest:").arg(length)
                         : tr("Exposed communication for %1. Its longest:").arg(length);
    }
    panel_->setSelected(stands_for);
    const Location place = compared_ ? locationOf(compared_->run(side), selection) : Location();
    if (place.index() == 0) {
        lookup_->forget();
        panel_->clearPair();
    } else {
        lookup_->select(side, place);
    }
}

void CompareView::goTo(const SliceSelection& slice) {
    const Side side = slice.run == 0 ? Side::A : Side::B;
    const Location place = SliceLocation{slice.rank, slice.slice};
    setActive(side);
    reveal(side, place);
    panel_->details().showSlice(slice);
    panel_->setSelected({});
    lookup_->select(side, place);
}

TimeSpan CompareView::reveal(Side side, const Location& place) {
    const Selection selection = selectionOf(place);
    linked_timelines_->reveal(side, selection);
    return timeline(side).spanOf(selection);
}

// Where it was selected the view stays; the other one, or both for a line of a table, come to it.
void CompareView::show(const FoundPair& pair) {
    panel_->showPair(pair);
    const Side other = otherOf(pair.from);
    const Location& here = pair.place(pair.from);
    const Location& there = pair.place(other);
    if (here.index() == 0) {
        return;
    }
    if (!pair.selected) {
        setActive(pair.from);
        reveal(pair.from, here);
        if (const auto* slice = std::get_if<SliceLocation>(&here)) {
            panel_->details().showSlice({indexOf(pair.from), slice->rank, slice->slice});
        } else {
            panel_->details().clear();  // it is of no slice
        }
    }
    const TimeSpan of_here = timeline(pair.from).spanOf(selectionOf(here));
    if (there.index() != 0) {
        linked_timelines_->align(pair.from, of_here.start_ns, reveal(other, there).start_ns);
        return;
    }
    timeline(other).select({});
    showSameRank(pair.from, here);
    if (pair.instead && pair.instead->missing.empty()) {
        // The gap is gone: the work that ended it stands below the work that no longer waits.
        const TimeSpan after = reveal(other, SliceLocation{pair.instead->rank, pair.instead->after});
        linked_timelines_->align(pair.from, of_here.end_ns, after.start_ns);
    } else if (pair.own && pair.own->b) {
        // It is late no more: both begin behind the same collective, and end where it is ready for the next.
        const StragglerSpan& stretch = *pair.own->b;
        reveal(other, SliceLocation{stretch.rank, stretch.collective});
        const RunClock& clock = compared_->run(other).clock;
        const TimeNs start = clock.ranks[stretch.rank].toRun(FileTime(stretch.span.start_ns)) - clock.base_ns;
        linked_timelines_->align(pair.from, of_here.start_ns, start);
    }
}

// So that what is missing is at least missing in sight.
void CompareView::showSameRank(Side from, const Location& place) {
    const auto rank_of = [](const auto& at) -> std::optional<RankPosition> {
        if constexpr (requires { at.rank; }) {
            return at.rank;
        } else {
            return std::nullopt;
        }
    };
    const auto rank = std::visit(rank_of, place);
    if (const auto number = rank ? compared_->run(from).run->ranks[*rank]->rank : std::nullopt) {
        timeline(otherOf(from)).showRank(*number);
    }
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        for (const Side side : {Side::A, Side::B}) {
            if (watched == &timeline(side)) {
                setActive(side);
            }
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!std::exchange(sized_, true)) {
        const int panel = height() * kPanelShare / 100;
        down_->setSizes({height() - panel, panel});
    }
}

void CompareView::setActive(Side side) {
    active_ = side;
    search_->setActive(indexOf(side));
    for (const Side each : {Side::A, Side::B}) {
        QLabel& name = *names_[static_cast<std::size_t>(each)];
        name.setProperty("role", each == side ? QStringLiteral("heading") : QStringLiteral("dim"));
        name.setStyleSheet(name.styleSheet());  // roles are looked at again
    }
}

void CompareView::showNames() {
    for (const Side side : {Side::A, Side::B}) {
        const QString letter = side == Side::A ? tr("A") : tr("B");
        QString name = compared_ ? text(compared_->run(side).run->name) : QString();
        if (const std::size_t all = (side == Side::A ? a_ : b_).size(); compared_ && all > 1) {
            name = tr("%1, of %2 recordings", "the name of a run, a number").arg(name).arg(all);
        }
        QLabel& label = *names_[static_cast<std::size_t>(side)];
        label.setText(tr("%1   %2", "A or B, the name of a run").arg(letter, name));
        label.setToolTip(compared_ ? plainTip(foldersOf(*compared_->run(side).run).join(QLatin1Char('\n')))
                                   : QString());
    }
}

QString CompareView::stepsText() const {
    return strip_->stepsText();
}

void CompareView::showSteps() {
    if (!compared_) {
        strip_->setSteps(!a_.empty() && !b_.empty() ? tr("Comparing...") : QString());
        return;
    }
    const auto step = linked_timelines_->step();
    if (!linked()) {
        strip_->setSteps(tr("The timelines are not linked."));
    } else if (!step) {
        strip_->setSteps(tr("Before the first step that both runs have."));
    } else if (byPhase()) {
        strip_->setSteps(phaseLine(*compared_, *step, linked_timelines_->phase()),
                         phasesUntold(compared_->phases[*step]));
    } else {
        strip_->setSteps(stepLine(*compared_, *step));
    }
}

bool CompareView::busy() const {
    bool tables = false;
    for (std::size_t page = 0; page < kComparePages; ++page) {
        tables = tables || panel_->table(static_cast<ComparePage>(page)).job().busy();
    }
    return job_.busy() || lookup_->job().busy() || search_->busy() || panel_->reading() || tables;
}

}  // namespace rankscope::ui
