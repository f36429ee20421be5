// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/explanation_panel.h"

#include <QAbstractTextDocumentLayout>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFragment>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/diagnosis/band_text.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/stacked_bar.h"

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

/// The parts of a text that are links, in order.
std::vector<QTextFragment> anchorsIn(const QTextDocument& document) {
    std::vector<QTextFragment> links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            if (at.fragment().charFormat().isAnchor()) {
                links.push_back(at.fragment());
            }
        }
    }
    return links;
}

QString addressOf(const QTextFragment& link) {
    return link.charFormat().anchorHref();
}

/// The top of the line with a link, in logical pixels, and the end of the text that belongs to it: the next foldable
/// part, or the end of the text.
struct FoldedPlace {
    double top = 0;
    double end = 0;
};
FoldedPlace placeOfFold(const QTextDocument& document, const QString& link) {
    const auto blockOf = [&](const QTextFragment& of) {
        return document.documentLayout()->blockBoundingRect(document.findBlock(of.position()));
    };
    const std::vector<QTextFragment> links = anchorsIn(document);
    const auto at = std::ranges::find(links, link, addressOf);
    FoldedPlace place{document.size().height(), document.size().height()};
    if (at == links.end()) {
        return place;
    }
    place.top = blockOf(*at).top();
    const auto next = std::find_if(at, links.end(), [&](const QTextFragment& other) {
        return isFold(addressOf(other)) && blockOf(other).top() > place.top;
    });
    place.end = next == links.end() ? place.end : blockOf(*next).bottom();
    return place;
}

/// Moves the keyboard focus to a link.
void focusLink(QTextBrowser& browser, const QString& link) {
    const std::vector<QTextFragment> links = anchorsIn(*browser.document());
    if (const auto at = std::ranges::find(links, link, addressOf); at != links.end()) {
        QTextCursor cursor(browser.document());
        cursor.setPosition(at->position());
        cursor.setPosition(at->position() + at->length(), QTextCursor::KeepAnchor);
        browser.setTextCursor(cursor);
    }
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

// A run is replaced when it has other facts, and moves up when one before it is closed. Text about a closed run is no
// longer shown.
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
    if (const auto* now = std::get_if<FindingSelection>(&shown_); now == nullptr || *now != finding) {
        unfolded_.details.clear();  // they belong to the remedies of another finding
    }
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
                   .arg(dim(tr("Select a diagnosis above, or a gap on the timeline, to see it explained."), theme_)));
}

void ExplanationPanel::render(const QString& heading, const QString& html) {
    heading_->setText(heading);
    heading_->setVisible(!heading.isEmpty());  // the panel's own name is on its tab
    body_->write(html, theme_);
}

void ExplanationPanel::rewrite(const QString& link) {
    QScrollBar& bar = *body_->verticalScrollBar();
    int place = bar.value();
    const bool by_key = body_->hasFocus() && body_->textCursor().hasSelection();
    const double before = body_->document()->size().height();
    refresh();
    if (by_key) {
        focusLink(*body_, link);
    }
    if (body_->document()->size().height() >
        before) {  // the requested text is in view: up to its end, if its title stays in view
        const FoldedPlace at = placeOfFold(*body_->document(), link);
        place = std::max(place, static_cast<int>(std::min(at.end - body_->viewport()->height(), at.top)));
    }
    bar.setValue(place);
}

void ExplanationPanel::activate(const QString& link) {
    const auto* finding = std::get_if<FindingSelection>(&shown_);
    if (refold(unfolded_, link)) {
        rewrite(link);
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
