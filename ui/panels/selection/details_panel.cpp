// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection/details_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <utility>

#include "core/ingest/kineto/event_args.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/slice_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {
namespace {

QTableWidget* makeArgsTable() {
    auto* table = new QTableWidget(0, 2);
    table->setTabKeyNavigation(false);
    table->horizontalHeader()->hide();
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setWordWrap(true);
    table->setShowGrid(false);
    table->verticalHeader()->setMinimumSectionSize(20);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setAccessibleName(QObject::tr("Arguments"));
    return table;
}

QString wordsHtml(const QStringList& words) {
    QStringList lines;
    for (const QString& line : words.mid(1)) {
        lines.append(line.toHtmlEscaped());
    }
    return QStringLiteral("<h3>%1</h3><p>%2</p>")
        .arg(words.front().toHtmlEscaped(), lines.join(QStringLiteral("<br>")));
}

}  // namespace

DetailsPanel::DetailsPanel(const Theme& theme, std::shared_ptr<IndexStore> indices, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      collectives_(std::move(indices)),
      facts_(new RichText(tr("The selected slice"))),
      args_state_(plainLabel()),
      args_(makeArgsTable()),
      copy_(new QPushButton(tr("Copy JSON"))) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    args_->setAccessibleName(tr("Arguments of the selected slice"));
    connect(facts_, &RichText::anchorClicked, this, [this](const QUrl& url) {
        if (const auto slice = sliceOfLink(url.toString())) {
            Q_EMIT sliceActivated(*slice);
        }
    });
    args_state_->setProperty("role", QStringLiteral("section"));
    args_state_->setWordWrap(true);
    copy_->setProperty("role", QStringLiteral("quiet"));
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(ui::text(event_)); });
    connect(&collectives_, &CollectiveIndices::built, this, &DetailsPanel::refresh);
    connect(&reader_, &SliceReader::ready, this, &DetailsPanel::showReading);

    auto* right = new QWidget;
    auto* lines = new QVBoxLayout(right);
    lines->setContentsMargins(16, RichText::kLeastMargin, 0, 0);
    lines->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(args_state_, 1);
    head->addWidget(copy_);
    lines->addLayout(head);
    lines->addWidget(args_, 1);

    auto* split = new TurningSplitter(tr("Facts and arguments"));
    split->addWidget(facts_);
    split->addWidget(right);
    split->setSizes({480, 520});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16 - RichText::kLeastMargin, 12 - RichText::kLeastMargin, 8, 8);
    layout->addWidget(split);
    setTheme(theme);
    clear();
}

void DetailsPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    collectives_.setRuns(runs);
    if (slice_) {
        const bool same = slice_->run < runs.size() && exists(*runs[slice_->run], slice_->rank, slice_->slice) &&
                          runs[slice_->run]->run->ranks[slice_->rank] == rank_;
        same ? refresh() : clear();
    }
}

void DetailsPanel::setPathMap(const PathMap& map) {
    if (reader_.setPathMap(map) && slice_ && event_.empty()) {
        showSlice(SliceSelection(*slice_));
    }
}

void DetailsPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    args_->setFont(theme.mono_font);
    refresh();
}

void DetailsPanel::showSlice(const SliceSelection& slice) {
    if (slice.run >= runs_.size() || !exists(*runs_[slice.run], slice.rank, slice.slice)) {
        clear();
        return;
    }
    slice_ = slice;
    rank_ = runs_[slice.run]->run->ranks[slice.rank];
    self_ns_.reset();
    event_.clear();
    args_->setRowCount(0);
    copy_->hide();
    args_state_->setText(tr("Arguments: reading..."));
    refresh();
    reader_.read(rank_, slice.slice);
}

void DetailsPanel::showWords(const QStringList& words) {
    clear();
    words_ = words;
    refresh();
}

void DetailsPanel::clear() {
    words_.clear();
    reader_.forget();
    slice_.reset();
    rank_.reset();
    event_.clear();
    args_->setRowCount(0);
    args_state_->clear();
    copy_->hide();
    refresh();
}

QString DetailsPanel::factsText() const {
    return facts_->toPlainText();
}

QString DetailsPanel::argsText() const {
    QString all = args_state_->text();
    for (int row = 0; row < args_->rowCount(); ++row) {
        all += QStringLiteral("\n%1\t%2").arg(args_->item(row, 0)->text(), args_->item(row, 1)->text());
    }
    return all;
}

void DetailsPanel::refresh() {
    args_->parentWidget()->setVisible(slice_.has_value());
    if (!slice_ && !words_.isEmpty()) {
        facts_->write(wordsHtml(words_), theme_);
        return;
    }
    if (!slice_) {
        facts_->write(QStringLiteral("<b>%1</b>&nbsp; %2")
                          .arg(tr("No slice is selected.").toHtmlEscaped(),
                               dim(tr("Select a slice on the timeline to see its times, its links and its recorded "
                                      "arguments here."),
                                   theme_)),
                      theme_);
        return;
    }
    const AnalysedRun& run = *runs_[slice_->run];
    const auto collectives = collectives_.of(run);
    const SliceExtras extras{runs_.size() > 1, self_ns_, collectives.get()};
    facts_->write(sliceHtml(run, *slice_, extras, theme_), theme_);
}

void DetailsPanel::showReading(const SliceReading& reading) {
    self_ns_ = reading.self_ns;
    refresh();
    if (reading.event.ok()) {
        event_ = reading.event.value();
        fillArgs(event_);
        copy_->show();
    } else {
        args_state_->setText(tr("The arguments cannot be read. %1")
                                 .arg(reading.event.failed() ? whyUnread(reading.event.error()) : QString()));
    }
    Q_EMIT argsShown();
}

void DetailsPanel::fillArgs(const std::string& event) {
    std::vector<RawMember> members = rawArgs(event);
    args_state_->setText(members.empty() ? tr("No arguments are recorded.") : tr("Arguments, as the file has them"));
    args_->setRowCount(static_cast<int>(members.size()));
    for (int row = 0; row < args_->rowCount(); ++row) {
        const RawMember& member = members[static_cast<std::size_t>(row)];
        auto* key = new QTableWidgetItem(ui::text(member.key));
        key->setForeground(theme_.text_dim);
        key->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
        args_->setItem(row, 0, key);
        auto* value = new QTableWidgetItem(ui::text(member.value));
        value->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
        args_->setItem(row, 1, value);
    }
    args_->resizeColumnToContents(0);
}

}  // namespace rankscope::ui
