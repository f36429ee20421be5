// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/trace/clocks_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <span>

#include "core/base/format.h"
#include "core/base/parse_quantity.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kMostNotes = 6;  // below the table, which must stay visible

enum Column { kRank, kHost, kMethod, kOffset, kDrift, kUncertainty, kMatches, kTyped, kColumns };

/// How the clock was determined, for people.
QString methodWords(ClockMethod method) {
    switch (method) {
        case ClockMethod::FileTimes: return QObject::tr("the file's own times");
        case ClockMethod::SharedHost: return QObject::tr("shares its host's clock");
        case ClockMethod::OneClock: return QObject::tr("fits one clock, unchanged");
        case ClockMethod::Fitted: return QObject::tr("fitted to collectives");
        case ClockMethod::Typed: return QObject::tr("typed by you");
    }
    return {};
}

QString typedWords(DurationNs ns) {
    // Exact, unlike formatDuration, since it will be read again.
    constexpr double kNsPerMs = 1e6;
    constexpr int kDigits = 15;  // digits that a double always keeps
    if (ns % 1'000 != 0) {
        return QStringLiteral("%1 ns").arg(ns);
    }
    return std::abs(ns) < 1'000'000 ? QStringLiteral("%1 µs").arg(ns / 1'000)
                                    : QStringLiteral("%1 ms").arg(static_cast<double>(ns) / kNsPerMs, 0, 'g', kDigits);
}

}  // namespace

ClocksPanel::ClocksPanel(const Theme& theme, QWidget* parent)
    : DeferredPanel(parent),
      theme_(theme),
      run_(new QComboBox),
      fitted_(new QPushButton(tr("One fitted clock"))),
      file_times_(new QPushButton(tr("The files' own times"))),
      reset_(new QPushButton(tr("Clear my offsets"))),
      cancel_(new QPushButton(tr("Cancel"))),
      message_(plainLabel()),
      table_(new QTableWidget),
      notes_(plainLabel()) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    connect(run_, &QComboBox::currentIndexChanged, this, &ClocksPanel::outdate);
    connect(table_, &QTableWidget::itemChanged, this, &ClocksPanel::take);
    connect(cancel_, &QPushButton::clicked, this, &ClocksPanel::cancelRequested);
    connect(reset_, &QPushButton::clicked, this, [this] { choose({}); });
    for (QPushButton* button : {fitted_, file_times_}) {
        connect(button, &QPushButton::clicked, this, [this] {
            ClockChoice choice = choices_[current()].clocks;
            choice.file_times = file_times_->isChecked();
            choose(choice);
        });
    }
    setRuns({}, {});
}

void ClocksPanel::layOut() {
    auto* either = new QButtonGroup(this);
    for (QPushButton* button : {fitted_, file_times_}) {
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        either->addButton(button);
    }
    reset_->setProperty("role", QStringLiteral("quiet"));
    cancel_->setProperty("role", QStringLiteral("quiet"));
    run_->setAccessibleName(tr("Run"));
    table_->setAccessibleName(tr("Clocks of the ranks"));
    table_->setColumnCount(kColumns);
    table_->setHorizontalHeaderLabels({tr("Rank"), tr("Host"), tr("How"), tr("Offset"), tr("Drift"), tr("Uncertainty"),
                                       tr("Matches"), tr("Your offset")});
    // All columns fit next to the list of pages in a window that is 1280 wide: the last one is for typing.
    const int widths[] = {72, 100, 180, 84, 76, 104, 84, 110};
    for (int column = 0; column < kColumns; ++column) {
        const bool number = column >= kOffset;
        table_->horizontalHeaderItem(column)->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) |
                                                               Qt::AlignVCenter);
        table_->setColumnWidth(column, widths[column]);
    }
    dressTitles(*table_->horizontalHeader());
    widenToTitles(*table_);
    growWithText(*table_, theme_);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    message_->setWordWrap(true);
    notes_->setProperty("role", QStringLiteral("dim"));
    notes_->setWordWrap(true);
    notes_->setMargin(8);
    auto* line = new WrappingRow;  // at the side there is less room
    line->setSpacing(8);
    for (QWidget* control : std::initializer_list<QWidget*>{run_, fitted_, file_times_, reset_, cancel_}) {
        line->addWidget(control);
    }
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(6);
    layout->addLayout(line);
    layout->addWidget(message_);
    layout->addWidget(table_, 1);
    layout->addWidget(notes_);
    cancel_->hide();
}

std::uint32_t ClocksPanel::current() const {
    return chosenRun(*run_);
}

void ClocksPanel::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) {
    runs_ = runs;
    choices_ = choices;
    choices_.resize(runs.size());
    offerRuns(*run_, runs);
    outdate();
}

void ClocksPanel::refresh() {
    const QSignalBlocker quiet(table_);
    const bool analysed = current() < runs_.size() && !runs_[current()]->facts.ranks.empty();
    const bool file_times = analysed && choices_[current()].clocks.file_times;
    fitted_->setChecked(!file_times);
    file_times_->setChecked(file_times);
    fitted_->setEnabled(analysed);
    file_times_->setEnabled(analysed);
    reset_->setVisible(analysed && !choices_[current()].clocks.typed_offset_ns.empty());
    table_->setRowCount(analysed ? static_cast<int>(runs_[current()]->run->ranks.size()) : 0);
    QStringList notes;
    filled_ = 0;
    fillOn();
    if (analysed) {
        const std::vector<std::string>& all = runs_[current()]->clock.notes;
        const std::size_t shown = all.size() > kMostNotes ? kMostNotes - 1 : all.size();
        for (const std::string& note : std::span(all).first(shown)) {
            notes.append(coreText(note));
        }
        if (shown < all.size()) {
            notes.append(tr("and %n more, in the report", nullptr, static_cast<int>(all.size() - shown)));
        }
    }
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
    say(!analysed    ? tr("Clocks appear when all ranks are read and analysed.")
        : file_times ? tr("Offsets are added to the fitted clock only.")
                     : tr("Double-click in the last column to type an offset, like -1.5 ms."));
}

void ClocksPanel::fillOn() {
    const QSignalBlocker quiet(table_);
    const int end = std::min(table_->rowCount(), filled_ + kRowsAtOnce);
    for (; filled_ < end; ++filled_) {
        addRow(filled_);
    }
    if (filled_ < table_->rowCount()) {
        fillLater();
    }
}

void ClocksPanel::addRow(int row) {
    const AnalysedRun& run = *runs_[current()];
    const auto rank = RankPosition(row);
    const RankClock& clock = run.clock.ranks[rank];
    const ClockChoice& choice = choices_[current()].clocks;
    const auto typed = choice.typed_offset_ns.find(clockKey(*run.run, rank));
    const bool fitted = clock.method == ClockMethod::Fitted;
    const QString texts[kColumns] = {
        rankName(*run.run, rank),
        run.run->ranks[rank]->host.empty() ? QStringLiteral("–") : text(run.run->ranks[rank]->host),
        methodWords(clock.method),
        duration(clock.offset_ns),
        fitted && clock.drift_ppm != 0.0 ? tr("%1 ppm").arg(clock.drift_ppm, 0, 'f', 2) : QStringLiteral("–"),
        clock.uncertainty_ns ? QStringLiteral("± ") + duration(*clock.uncertainty_ns) : tr("unknown"),
        clock.matches == 0 ? QStringLiteral("–") : text(formatCount(clock.matches)),
        typed == choice.typed_offset_ns.end() || choice.file_times ? QString() : typedWords(typed->second)};
    for (int column = 0; column < kColumns; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setTextAlignment((column >= kOffset ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        if (column >= kOffset) {
            item->setFont(theme_.mono_font);
        }
        if (column == kTyped && !choice.file_times) {
            item->setFlags(item->flags() | Qt::ItemIsEditable);
            item->setToolTip(tr("Offset added to this file's times, like -1.5 ms. Empty: as fitted."));
        }
        table_->setItem(row, column, item);
    }
}

void ClocksPanel::take(const QTableWidgetItem* item) {
    if (item->column() != kTyped || current() >= runs_.size()) {
        return;
    }
    ClockChoice choice = choices_[current()].clocks;
    const RankNumber key = clockKey(*runs_[current()]->run, RankPosition(item->row()));
    const QString typed = item->text().trimmed();
    if (typed.isEmpty()) {
        choice.typed_offset_ns.erase(key);
    } else if (const auto offset = parseDuration(typed.toStdString())) {
        choice.typed_offset_ns[key] = *offset;
    } else {
        outdate();
        say(tr("“%1” is not a duration. Write it like -1.5 ms, 200 us or 3000 ns.").arg(typed), true);
        return;
    }
    choose(choice);
}

void ClocksPanel::choose(const ClockChoice& choice) {
    if (current() < runs_.size() && choice != choices_[current()].clocks) {
        Q_EMIT chosen(current(), choice);
    }
}

void ClocksPanel::showProgress(const QString& words) {
    cancel_->setVisible(!words.isEmpty());
    if (words.isEmpty()) {
        outdate();
    } else {
        say(words);
    }
}

void ClocksPanel::say(const QString& words, bool wrong) {
    message_->setProperty("role", wrong ? QStringLiteral("error") : QStringLiteral("dim"));
    message_->style()->polish(message_);
    message_->setText(words);
}

void ClocksPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    growWithText(*table_, theme);
    outdate();  // numbers use a font of the theme
}

}  // namespace rankscope::ui
