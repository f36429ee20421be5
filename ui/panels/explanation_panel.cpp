// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explanation_panel.h"

#include <QAbstractTextDocumentLayout>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/band_text.h"
#include "ui/panels/rich_text.h"
#include "ui/panels/stacked_bar.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

const Finding* findingOf(const OpenRuns& runs, const FindingSelection& at) {
    const bool there = at.run < runs.size() && at.finding < runs[at.run]->diagnosis.findings.size();
    return there ? &runs[at.run]->diagnosis.findings[at.finding] : nullptr;
}

const Gap* gapOf(const OpenRuns& runs, const GapSelection& at) {
    if (at.run >= runs.size() || at.rank >= runs[at.run]->facts.ranks.size()) {
        return nullptr;
    }
    const auto& steps = runs[at.run]->facts.ranks[at.rank].steps;
    const bool there = at.step < steps.size() && at.gap < steps[at.step].gaps.size();
    return there ? &steps[at.step].gaps[at.gap] : nullptr;
}

/// Where the line with a link lies in a text, in logical pixels; the end of the text where there is none, or for
/// nullptr.
QRectF placeOfLink(const QTextDocument& document, const char* link) {
    for (QTextBlock block = document.begin(); link != nullptr && block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            if (at.fragment().charFormat().anchorHref() == QLatin1String(link)) {
                return document.documentLayout()->blockBoundingRect(block);
            }
        }
    }
    return {0, document.size().height(), 0, 0};
}

const QString kEvidence = QStringLiteral("evidence:");
constexpr int kRoomBesideScrollBar = 10;

}  // namespace

ExplanationPanel::ExplanationPanel(const Theme& theme, std::shared_ptr<IndexStore> indices, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      collectives_(std::move(indices)),
      heading_(plainLabel({}, this)),
      bar_(new StackedBar(this)),
      body_(new RichText(tr("Explanation"))) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    heading_->setProperty("role", QStringLiteral("title"));
    heading_->setWordWrap(true);
    heading_->setContentsMargins(RichText::kLeastMargin, 0, 0, 0);  // in line with the text below
    body_->keepFreeAtRight(kRoomBesideScrollBar);
    connect(&collectives_, &CollectiveIndices::built, this, [this] {
        if (std::holds_alternative<BandSelection>(shown_)) {
            refresh();
        }
    });
    connect(body_, &RichText::anchorClicked, this, [this](const QUrl& url) { activate(url.toString()); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16 - RichText::kLeastMargin, 12, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(heading_);
    auto* bar_row = new QHBoxLayout;
    bar_row->setContentsMargins(RichText::kLeastMargin, 0, kRoomBesideScrollBar, 0);
    bar_row->addWidget(bar_);
    layout->addLayout(bar_row);
    layout->addWidget(body_);
    clear();
}

void ExplanationPanel::setRuns(const OpenRuns& runs) {
    followRun(runs);
    runs_ = runs;
    collectives_.setRuns(runs);
    refresh();
}

// A run is told again with other facts, and takes another place where one before it is closed; what is of a closed run
// is shown no more.
void ExplanationPanel::followRun(const OpenRuns& runs) {
    const bool gone = std::visit(
        [&](auto& of) {
            if constexpr (requires { of.run; }) {
                const auto same = [&](const auto& run) {
                    return of.run < runs_.size() && !run->run->ranks.empty() && !runs_[of.run]->run->ranks.empty() &&
                           run->run->ranks.front() == runs_[of.run]->run->ranks.front();
                };
                const auto now = std::ranges::find_if(runs, same);
                if (now == runs.end()) {
                    return true;
                }
                of.run = static_cast<std::uint32_t>(now - runs.begin());
            }
            return false;
        },
        shown_);
    if (gone) {
        shown_ = std::monostate{};
    }
}

void ExplanationPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    refresh();
}

void ExplanationPanel::showFinding(const FindingSelection& finding) {
    shown_ = finding;
    refresh();
}

void ExplanationPanel::showGap(const GapSelection& gap) {
    shown_ = gap;
    refresh();
}

void ExplanationPanel::showBand(const BandSelection& band) {
    shown_ = band;
    refresh();
}

void ExplanationPanel::clear() {
    shown_ = std::monostate{};
    refresh();
}

QString ExplanationPanel::text() const {
    return heading_->text() + QLatin1Char('\n') + body_->toPlainText();
}

void ExplanationPanel::refresh() {
    bar_->hide();
    if (const auto* finding = std::get_if<FindingSelection>(&shown_)) {
        if (const Finding* found = findingOf(runs_, *finding)) {
            render(ui::text(found->title), findingHtml(*runs_[finding->run], finding->run, *found, unfolded_, theme_));
            return;
        }
    }
    if (const auto* at = std::get_if<GapSelection>(&shown_)) {
        if (const Gap* gap = gapOf(runs_, *at)) {
            std::vector<BarPart> parts;
            for (const GapPart& part : gap->parts) {
                const QString what = namedTime(coreText(causeTitle(part.cause)), part.span.length());
                parts.push_back({part.span.length(), causeColour(part.cause, theme_), what, false});
            }
            bar_->setParts(std::move(parts));
            bar_->show();
            const AnalysedRun& run = *runs_[at->run];
            const RankStep& step = run.facts.ranks[at->rank].steps[at->step];
            render(tr("Gap of %1 on %2, step %3")
                       .arg(duration(gap->span.length()), rankName(*run.run, at->rank))
                       .arg(step.index),
                   gapHtml(run, *at, *gap, theme_));
            return;
        }
    }
    if (const auto* at = std::get_if<BandSelection>(&shown_)) {
        if (at->run < runs_.size() && !bandSpan(*runs_[at->run], *at).empty()) {
            const AnalysedRun& run = *runs_[at->run];
            render(bandTitle(run, *at), bandHtml(run, collectives_.of(run).get(), *at, theme_));
            return;
        }
    }
    shown_ = std::monostate{};
    render({}, QStringLiteral("<p>%1</p>")
                   .arg(dim(tr("Select a diagnosis above, or a gap on the timeline: it is explained here."), theme_)));
}

void ExplanationPanel::render(const QString& heading, const QString& html) {
    heading_->setText(heading);
    heading_->setVisible(!heading.isEmpty());  // the panel's own name stands on its tab
    body_->write(html, theme_);
}

void ExplanationPanel::refold(const char* link, const char* next, bool unfolded) {
    QScrollBar& bar = *body_->verticalScrollBar();
    int place = bar.value();
    refresh();
    if (unfolded) {  // what was asked for is in sight: to its end, as far as its title stays so
        const QTextDocument& document = *body_->document();
        const double end = placeOfLink(document, next).bottom() - body_->viewport()->height();
        place = std::max(place, static_cast<int>(std::min(end, placeOfLink(document, link).top())));
    }
    bar.setValue(place);
}

void ExplanationPanel::activate(const QString& link) {
    const auto* finding = std::get_if<FindingSelection>(&shown_);
    if (link == QLatin1String(kFoldConfidence)) {
        unfolded_.confidence = !unfolded_.confidence;
        refold(kFoldConfidence, kFoldFull, unfolded_.confidence);
    } else if (link == QLatin1String(kFoldFull)) {
        unfolded_.full = !unfolded_.full;
        refold(kFoldFull, nullptr, unfolded_.full);
    } else if (finding != nullptr && link.startsWith(kEvidence)) {
        const Finding* found = findingOf(runs_, *finding);
        const std::size_t index = link.mid(kEvidence.size()).toULongLong();
        if (found != nullptr && index < found->evidence.size()) {
            Q_EMIT evidenceActivated(finding->run, found->evidence[index]);
        }
    } else if (const auto slice = sliceOfLink(link)) {
        Q_EMIT sliceActivated(*slice);
    }
}

}  // namespace rankscope::ui
