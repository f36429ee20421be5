// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/memory_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "ui/panels/memory/memory_tables.h"
#include "ui/panels/memory/memory_text.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {
namespace {

constexpr int kTextMargin = 4;  // pixels, between the text and the focus frame

}  // namespace

MemoryPanel::MemoryPanel(const Theme& theme, QWidget* parent)
    : PagePanel(theme, parent),
      title_(plainLabel()),
      source_(new QComboBox),
      close_(new QPushButton(tr("Close the Snapshot"))),
      parts_(new StackedBar),
      limit_(new StackedBar),
      body_(new RichText(tr("Memory use"), kTextMargin)),
      tables_(new MemoryTables(theme)),
      split_(new TurningSplitter(tr("Memory use and its tables"))) {
    layOut();
    connect(source_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0) {
            choose(sources_[static_cast<std::size_t>(index)]);
        }
    });
    connect(close_, &QPushButton::clicked, this, [this] {
        if (shown_.snapshot != nullptr) {
            Q_EMIT closeAsked(shown_.snapshot);
        }
    });
    connect(tables_, &MemoryTables::framesChosen, this, &MemoryPanel::write);
    connect(tables_, &MemoryTables::targetActivated, this, &MemoryPanel::activate);
    connect(body_, &RichText::anchorClicked, this, [this](const QUrl& url) {
        if (url.toString() == QLatin1String(kPeakLink) && page_ != nullptr) {
            activate(page_->peak);
        } else if (url.toString() == QLatin1String(kJobLink)) {
            Q_EMIT jobAsked();
        }
    });
    setFocusProxy(body_);
    setOpen({}, {});
}

void MemoryPanel::layOut() {
    source_->setAccessibleName(tr("Rank or snapshot"));
    source_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // the choices change while it is shown
    close_->setProperty("role", QStringLiteral("quiet"));
    parts_->setAccessibleName(tr("Memory use"));
    limit_->setAccessibleName(tr("GPU memory"));
    auto* left = new QWidget;
    auto* left_layout = new QVBoxLayout(left);
    left_layout->setContentsMargins(0, 0, 8, 0);
    left_layout->setSpacing(4);
    left_layout->addWidget(parts_);
    left_layout->addWidget(limit_);
    left_layout->addWidget(body_, 1);
    split_->addWidget(left);
    split_->addWidget(tables_);
    split_->setStretchFactor(0, 1);
    split_->setStretchFactor(1, 1);
    setPage(makePanelHead(*title_, {source_, close_}), {split_});
}

void MemoryPanel::setOpen(const OpenRuns& runs, const OpenSnapshots& snapshots) {
    runs_ = runs;
    snapshots_ = snapshots;
    outdate();
}

void MemoryPanel::setTheme(const Theme& theme) {
    PagePanel::setTheme(theme);
    tables_->setTheme(theme);
    if (page_ != nullptr) {
        showPage(page_);
    }
}

// ---- choices

void MemoryPanel::addRank(RankOfRun rank) {
    const auto& ranks = runs_[rank.run]->facts.memory.ranks;
    for (std::size_t device = 0; rank.rank < ranks.size() && device < ranks[rank.rank].size(); ++device) {
        sources_.push_back({rank, true, device, nullptr});
    }
}

void MemoryPanel::addSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot,
                              const std::optional<RankOfRun>& rank) {
    for (std::size_t device = 0; device < std::max<std::size_t>(1, snapshot->facts.devices.size()); ++device) {
        sources_.push_back({rank.value_or(RankOfRun{}), rank.has_value(), device, snapshot});
    }
}

QString MemoryPanel::nameOf(const Source& source) const {
    QString name;
    if (source.has_rank) {
        const AnalysedRun& run = *runs_[source.rank.run];
        name = rankName(*run.run, source.rank.rank);
        name = runs_.size() > 1 ? tr("%1, %2").arg(text(run.run->name), name) : name;
    }
    if (source.snapshot == nullptr) {
        const auto& devices = runs_[source.rank.run]->facts.memory.ranks[source.rank.rank];
        return devices.size() > 1 ? tr("%1, GPU %2").arg(name).arg(devices[source.device].device) : name;
    }
    const auto& devices = source.snapshot->facts.devices;
    QString of = tr("Snapshot %1").arg(snapshotName(*source.snapshot));
    of = devices.size() > 1 ? tr("%1, GPU %2").arg(of).arg(devices[source.device].device) : of;
    return name.isEmpty() ? of : tr("%1 · %2").arg(name, of);
}

void MemoryPanel::offer() {
    sources_.clear();
    std::vector<std::optional<RankOfRun>> ranks;
    for (const auto& snapshot : snapshots_) {
        ranks.push_back(rankOfSnapshot(*snapshot, runs_));
    }
    for (std::uint32_t run = 0; run < runs_.size(); ++run) {
        for (RankPosition rank{0}; rank < runs_[run]->run->ranks.size(); ++rank) {
            addRank({run, rank});
            for (std::size_t s = 0; s < snapshots_.size(); ++s) {
                if (ranks[s] == RankOfRun{run, rank}) {
                    addSnapshot(snapshots_[s], ranks[s]);
                }
            }
        }
    }
    for (std::size_t s = 0; s < snapshots_.size(); ++s) {
        if (!ranks[s]) {
            addSnapshot(snapshots_[s], std::nullopt);
        }
    }
    const QSignalBlocker quiet(source_);
    source_->clear();
    QStringList names;
    std::ranges::transform(sources_, std::back_inserter(names), [this](const Source& of) { return nameOf(of); });
    source_->addItems(names);
    source_->setVisible(sources_.size() > 1);
}

int MemoryPanel::fullest() const {
    int at = -1;
    std::int64_t most = -1;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Source& source = sources_[i];
        const std::int64_t held =
            source.snapshot != nullptr
                ? 0
                : runs_[source.rank.run]->facts.memory.ranks[source.rank.rank][source.device].allocated;
        if (held > most) {
            most = held;
            at = static_cast<int>(i);
        }
    }
    return at;
}

void MemoryPanel::choose(const Source& source) {
    chosen_ = source;
    has_chosen_ = true;
    outdate();
}

void MemoryPanel::showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    const std::optional<RankOfRun> rank = rankOfSnapshot(*snapshot, runs_);
    choose({rank.value_or(RankOfRun{}), rank.has_value(), 0, snapshot});
}

void MemoryPanel::showRank(std::uint32_t run, RankPosition rank) {
    choose({{run, rank}, true, 0, nullptr});
}

// ---- contents

void MemoryPanel::refresh() {
    offer();
    if (sources_.empty()) {
        tellNoMemory();
        return;
    }
    const auto same = std::ranges::find_if(sources_, [this](const Source& of) {
        return of.snapshot == chosen_.snapshot && of.device == chosen_.device &&
               (of.snapshot != nullptr || of.rank == chosen_.rank);
    });
    const int at = has_chosen_ && same != sources_.end() ? static_cast<int>(same - sources_.begin()) : fullest();
    const QSignalBlocker quiet(source_);
    source_->setCurrentIndex(at);
    start(sources_[static_cast<std::size_t>(at)]);
}

void MemoryPanel::start(const Source& source) {
    const auto run = source.has_rank ? runs_[source.rank.run] : nullptr;
    const auto make = [source, run] {
        if (source.snapshot == nullptr) {
            return std::make_shared<const MemoryPage>(peakPage(*run, source.rank.rank, source.device));
        }
        const auto& devices = source.snapshot->facts.devices;
        const std::int64_t capacity = run != nullptr && source.device < devices.size()
                                          ? capacityOf(*run, source.rank.rank, devices[source.device].device)
                                          : 0;
        return std::make_shared<const MemoryPage>(snapshotPage(*source.snapshot, source.device, capacity));
    };
    work(make, [this, source](const auto& page) {
        shown_ = source;
        showPage(page);
    });
}

void MemoryPanel::showPage(std::shared_ptr<const MemoryPage> page) {
    page_ = std::move(page);
    title_->setText(page_->title);
    close_->setVisible(shown_.snapshot != nullptr);
    parts_->setParts(partsOfPage(*page_, theme()));
    limit_->setParts(limitOfPage(*page_, theme()));
    parts_->setVisible(page_->in_use > 0);
    limit_->setVisible(page_->reserved > 0);
    body_->show();
    tables_->setVisible(!page_->tables.empty());
    tables_->setTables(page_->tables);
    write({});
}

void MemoryPanel::tellNothing(const QString& why) {
    job().forget();
    page_.reset();
    shown_ = {};
    title_->setText(why);
    close_->hide();
    for (QWidget* part : std::initializer_list<QWidget*>{parts_, limit_, body_, tables_}) {
        part->hide();
    }
    tables_->setTables({});
}

void MemoryPanel::tellNoMemory() {
    if (runs_.empty()) {
        tellNothing(tr("Open a run to see its memory."));
    } else if (runs_.front()->facts.ranks.empty()) {
        tellNothing(tr("The run is being analysed."));
    } else {
        job().forget();
        shown_ = {};
        showPage(std::make_shared<const MemoryPage>(emptyPage(*runs_.front())));
    }
}

void MemoryPanel::write(const QStringList& frames) {
    if (page_ != nullptr) {
        body_->write(memoryHtml(*page_, frames, theme()), theme());
    }
}

void MemoryPanel::activate(const MemoryTarget& target) {
    if (!shown_.has_rank || shown_.rank.run >= runs_.size()) {
        return;
    }
    if (target.slice.valid()) {
        Q_EMIT sliceActivated({shown_.rank.run, shown_.rank.rank, target.slice});
    } else if (!target.span.empty()) {
        Q_EMIT spanActivated(shown_.rank.run, shown_.rank.rank, target.span);
    }
}

QString MemoryPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + body_->toPlainText();
}

}  // namespace rankscope::ui
