// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/linked_timelines.h"
#include "ui/panels/words.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr int kPanelShare = 44;  // per cent of the height

QPushButton* button(const char* role, const QString& words, const QString& what) {
    auto* made = new QPushButton(words);
    made->setProperty("role", QLatin1String(role));
    made->setToolTip(what);
    made->setFocusPolicy(Qt::TabFocus);
    made->setCheckable(qstrcmp(role, "choice") == 0);
    return made;
}

QSplitter* splitter(Qt::Orientation orientation) {
    auto* made = new QSplitter(orientation);
    made->setHandleWidth(1);
    made->setChildrenCollapsible(false);
    return made;
}

}  // namespace

CompareView::CompareView(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      timelines_{new TimelineWidget(theme), new TimelineWidget(theme)},
      names_{new QLabel, new QLabel},
      linked_timelines_(new LinkedTimelines(*timelines_[0], *timelines_[1], this)),
      lookup_(new Lookup(this)),
      panel_(new ComparePanel(theme)),
      verdict_(new QLabel),
      steps_(new QLabel),
      link_(button("choice", tr("Linked"), tr("The two timelines move together, step by step"))),
      stack_(button("choice", tr("Above and below"), tr("The timelines stand above and below each other"))),
      halves_(splitter(Qt::Horizontal)),
      down_(splitter(Qt::Vertical)) {
    layOut();
    wire();
    setActive(Side::A);
    showSteps();
}

QWidget* CompareView::half(Side side) {
    const auto at = static_cast<std::size_t>(side);
    names_[at]->setContentsMargins(16, 4, 16, 4);
    names_[at]->setTextFormat(Qt::PlainText);
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
    verdict_->setProperty("role", QStringLiteral("heading"));
    verdict_->setTextFormat(Qt::PlainText);
    steps_->setProperty("role", QStringLiteral("dim"));
    steps_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* swap_runs = button("quiet", tr("Swap"), tr("Make A of B and B of A"));
    auto* leave = button("quiet", tr("Leave the comparison"), tr("Show the open runs below each other again"));
    connect(swap_runs, &QPushButton::clicked, this, &CompareView::swapAsked);
    connect(leave, &QPushButton::clicked, this, &CompareView::leaveAsked);
    auto* strip = new QWidget;
    strip->setProperty("role", QStringLiteral("strip"));
    strip->setAttribute(Qt::WA_StyledBackground);
    auto* line = new QHBoxLayout(strip);
    line->setContentsMargins(16, 3, 8, 3);
    line->setSpacing(4);
    line->addWidget(verdict_);
    line->addSpacing(12);
    line->addWidget(steps_, 1);
    for (QPushButton* button : {link_, stack_, swap_runs, leave}) {
        line->addWidget(button);
    }
    halves_->addWidget(half(Side::A));
    halves_->addWidget(half(Side::B));
    down_->addWidget(halves_);
    down_->addWidget(panel_);
    down_->setStretchFactor(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip);
    layout->addWidget(down_, 1);
    setTabOrder(timelines_[0], timelines_[1]);
}

void CompareView::wire() {
    for (const Side side : {Side::A, Side::B}) {
        TimelineWidget& of = timeline(side);
        of.setAccessibleName(side == Side::A ? tr("Timeline of A") : tr("Timeline of B"));
        of.leaveKeysToShortcuts();
        of.setOverviewVisible(false);
        of.installEventFilter(this);
        connect(&of, &TimelineWidget::selectionChanged, this,
                [this, side](const Selection& selection) { select(side, selection); });
    }
    connect(link_, &QPushButton::clicked, this, [this] { setLinked(!linked()); });
    connect(stack_, &QPushButton::clicked, this, [this] { setStacked(!stacked()); });
    connect(linked_timelines_, &LinkedTimelines::moved, this, &CompareView::showSteps);
    connect(lookup_, &Lookup::found, this, &CompareView::show);
    connect(panel_, &ComparePanel::asked, this, [this](const AskPlaces& ask) { lookup_->ask(ask); });
    connect(panel_, &ComparePanel::sliceActivated, this, [this](const SliceSelection& slice) {
        const Side side = slice.run == 0 ? Side::A : Side::B;
        const Place place = SlicePlace{slice.rank, slice.slice};
        reveal(side, place);
        lookup_->select(side, place);
    });
    setLinked(true);
    setStacked(false);
}

void CompareView::setRuns(SharedRun a, SharedRun b) {
    if (a == a_ && b == b_) {
        return;
    }
    a_ = std::move(a);
    b_ = std::move(b);
    lookup_->setRuns(nullptr);
    if (!a_ || !b_) {
        job_.forget();
        take(nullptr);
        return;
    }
    job_.start([this, of_a = a_, of_b = b_](const std::stop_token&) {
        auto made = ui::compared(of_a, of_b);
        return LatestJob::Show([this, made = std::move(made)] { take(made); });
    });
}

void CompareView::take(const std::shared_ptr<const ComparedRuns>& runs) {
    compared_ = runs;
    timeline(Side::A).setRuns(runs ? std::vector{runs->a} : std::vector<SharedRun>());
    timeline(Side::B).setRuns(runs ? std::vector{runs->b} : std::vector<SharedRun>());
    panel_->setRuns(runs);
    lookup_->setRuns(runs);
    linked_timelines_->setSteps(runs ? runs->steps : std::vector<StepPair>(), runs ? runs->typical_step : std::nullopt);
    showNames();
    verdict_->setText(runs ? verdictHead(*runs) : QString());
}

void CompareView::setTheme(const Theme& theme) {
    for (TimelineWidget* timeline : timelines_) {
        timeline->setTheme(theme);
    }
    panel_->setTheme(theme);
}

void CompareView::setLinked(bool linked) {
    linked_timelines_->setLinked(linked);
    link_->setChecked(linked);
    Q_EMIT arrangementChanged();
}

bool CompareView::linked() const {
    return linked_timelines_->linked();
}

void CompareView::setStacked(bool stacked) {
    halves_->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
    halves_->setSizes({1000, 1000});
    stack_->setChecked(stacked);
    Q_EMIT arrangementChanged();
}

bool CompareView::stacked() const {
    return halves_->orientation() == Qt::Vertical;
}

void CompareView::select(Side side, const Selection& selection) {
    setActive(side);
    timeline(otherOf(side)).select({});
    const Place place = compared_ ? placeOf(compared_->run(side), selection) : Place();
    if (place.index() == 0) {
        lookup_->forget();
        panel_->clearPair();
    } else {
        lookup_->select(side, place);
    }
}

TimeSpan CompareView::reveal(Side side, const Place& place) {
    const Selection selection = selectionOf(place);
    linked_timelines_->reveal(side, selection);
    return timeline(side).spanOf(selection);
}

// Where it was selected the view stays; the other one, or both for a line of a table, come to it.
void CompareView::show(const FoundPair& pair) {
    panel_->showPair(pair);
    const Side other = otherOf(pair.from);
    const Place& here = pair.place(pair.from);
    const Place& there = pair.place(other);
    if (here.index() == 0) {
        return;
    }
    if (!pair.selected) {
        setActive(pair.from);
        reveal(pair.from, here);
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
        const TimeSpan after = reveal(other, SlicePlace{pair.instead->rank, pair.instead->after});
        linked_timelines_->align(pair.from, of_here.end_ns, after.start_ns);
    }
}

// So that what is missing is at least missing in sight.
void CompareView::showSameRank(Side from, const Place& place) {
    const auto* slice = std::get_if<SlicePlace>(&place);
    const auto* gap = std::get_if<GapPlace>(&place);
    const std::uint32_t rank = slice != nullptr ? slice->rank : gap->rank;
    if (const auto number = compared_->run(from).run->ranks[rank]->rank) {
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
    for (const Side each : {Side::A, Side::B}) {
        QLabel& name = *names_[static_cast<std::size_t>(each)];
        name.setProperty("role", each == side ? QStringLiteral("heading") : QStringLiteral("dim"));
        name.setStyleSheet(name.styleSheet());  // roles are looked at again
    }
}

void CompareView::showNames() {
    for (const Side side : {Side::A, Side::B}) {
        const QString letter = side == Side::A ? tr("A") : tr("B");
        const QString name = compared_ ? text(compared_->run(side).run->name) : QString();
        names_[static_cast<std::size_t>(side)]->setText(letter + QStringLiteral("   ") + name);
    }
}

QString CompareView::stepsText() const {
    return steps_->text();
}

void CompareView::showSteps() {
    if (!compared_) {
        steps_->setText(a_ && b_ ? tr("Comparing...") : QString());
        return;
    }
    const auto pair = linked_timelines_->steps();
    if (!linked()) {
        steps_->setText(tr("The timelines move freely."));
    } else if (!pair) {
        steps_->setText(tr("Before the first step that both runs have."));
    } else {
        steps_->setText(tr("Step %1 of A stands against step %2 of B.")
                            .arg(compared_->a->facts.steps[pair->a].index)
                            .arg(compared_->b->facts.steps[pair->b].index));
    }
}

bool CompareView::busy() const {
    bool tables = false;
    for (std::size_t page = 0; page < kComparePages; ++page) {
        tables = tables || panel_->table(static_cast<ComparePage>(page)).job().busy();
    }
    return job_.busy() || lookup_->job().busy() || tables;
}

}  // namespace rankscope::ui
