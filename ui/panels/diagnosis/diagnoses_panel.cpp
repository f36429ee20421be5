// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/diagnoses_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/diagnosis/run_findings.h"
#include "ui/panels/diagnosis/verdict_card.h"
#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {

DiagnosesPanel::DiagnosesPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), scroll_(new QScrollArea(this)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    scroll_->setWidgetResizable(true);
    scroll_->setAccessibleName(tr("Diagnoses"));
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget;
    page->setProperty("role", QStringLiteral("surface"));
    none_ = new WrappedLabel(tr("Open a run to see what its steps wait for."), "dim");
    list_ = new QVBoxLayout(page);
    list_->setContentsMargins(16, 10, 16, 16);
    list_->setSpacing(8);
    list_->addWidget(none_);
    list_->addStretch();
    scroll_->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);
}

void DiagnosesPanel::setRuns(const OpenRuns& runs) {
    if (std::ranges::equal(runs_, runs)) {
        return;
    }
    runs_ = runs;
    selected_.reset();
    if (!std::exchange(outdated_, true)) {
        QMetaObject::invokeMethod(this, &DiagnosesPanel::finish, Qt::QueuedConnection);
    }
}

// Runs that are still open keep their section: while several runs are loading, each is laid out when it arrives.
void DiagnosesPanel::finish() {
    if (!std::exchange(outdated_, false)) {
        return;
    }
    std::vector<RunFindings*> sections;
    for (const auto& run : runs_) {
        sections.push_back(sectionOf(run, runs_.size() > 1));
    }
    for (RunFindings* gone : sections_) {
        if (std::ranges::find(sections, gone) == sections.end()) {
            delete gone;
        }
    }
    sections_ = std::move(sections);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        list_->insertWidget(static_cast<int>(i) + 1, sections_[i]);
    }
    none_->setVisible(runs_.empty());
    orderTabs();
    select(std::nullopt);
}

void DiagnosesPanel::orderTabs() {
    QWidget* before = scroll_;
    const auto next = [&before](QWidget* stop) { setTabOrder(std::exchange(before, stop), stop); };
    for (const RunFindings* section : sections_) {
        if (section->verdict() != nullptr) {
            std::ranges::for_each(section->verdict()->stops(), next);
        }
        std::ranges::for_each(section->cards(), next);
    }
}

std::optional<std::uint32_t> DiagnosesPanel::indexOf(const RunFindings& section) const {
    const auto at = std::ranges::find(sections_, &section) - sections_.begin();
    return outdated_ ? std::nullopt : std::optional(static_cast<std::uint32_t>(at));
}

void DiagnosesPanel::connectVerdict(const RunFindings& section) {
    const VerdictCard* verdict = section.verdict();
    if (verdict == nullptr) {
        return;
    }
    connect(verdict, &VerdictCard::chartAsked, this, [this, &section](StepChart chart) {
        if (const auto run = indexOf(section)) {
            Q_EMIT chartAsked(*run, chart);
        }
    });
    connect(verdict, &VerdictCard::whatIfAsked, this, [this, &section](const std::string& change) {
        if (const auto run = indexOf(section)) {
            Q_EMIT whatIfAsked(*run, change);
        }
    });
    connect(verdict, &VerdictCard::sliceAsked, this, [this, &section](RankPosition rank, SliceRef slice) {
        if (const auto run = indexOf(section)) {
            Q_EMIT sliceActivated({*run, rank, slice});
        }
    });
    connect(verdict, &VerdictCard::spanAsked, this, [this, &section](RankPosition rank, const TimeSpan& span) {
        if (const auto run = indexOf(section)) {
            Q_EMIT spanActivated(*run, rank, span);
        }
    });
}

RunFindings* DiagnosesPanel::sectionOf(const std::shared_ptr<const AnalysedRun>& run, bool named) {
    const auto same = [&](const RunFindings* of) { return of->run() == run && of->named() == named; };
    if (const auto found = std::ranges::find_if(sections_, same); found != sections_.end()) {
        return *found;
    }
    auto* section = new RunFindings(run, named, theme_);
    connect(section, &RunFindings::activated, this,
            [this, section](std::uint32_t finding) { activate(*section, finding); });
    connectVerdict(*section);
    for (FindingCard* card : section->cards()) {
        card->addActions(card_actions_);
    }
    return section;
}

void DiagnosesPanel::setCardActions(const QList<QAction*>& actions) {
    card_actions_ = actions;
}

void DiagnosesPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    for (RunFindings* section : sections_) {
        section->setTheme(theme);
    }
}

void DiagnosesPanel::activate(const RunFindings& section, std::uint32_t finding) {
    if (const auto run = indexOf(section)) {
        const FindingSelection chosen{*run, finding};
        select(chosen);
        Q_EMIT findingSelected(chosen);
    }
}

void DiagnosesPanel::choose(const FindingSelection& finding) {
    finish();
    if (finding.run < sections_.size() && finding.finding < sections_[finding.run]->cards().size()) {
        activate(*sections_[finding.run], finding.finding);
    }
}

void DiagnosesPanel::select(std::optional<FindingSelection> finding) {
    if (finding || selected_) {
        finish();
    }
    selected_ = finding;
    for (std::uint32_t run = 0; run < sections_.size(); ++run) {
        const auto& cards = sections_[run]->cards();
        for (std::uint32_t i = 0; i < cards.size(); ++i) {
            const bool chosen = finding == FindingSelection{run, i};
            cards[i]->setSelected(chosen);
            if (chosen) {
                // Cards that were just added only know their position after the layout.
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
                scroll_->ensureWidgetVisible(cards[i], 0, 16);
            }
        }
    }
}

}  // namespace rankscope::ui
