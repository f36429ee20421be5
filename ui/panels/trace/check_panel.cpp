// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/trace/check_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/translated_wording.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

bool isAnalysed(const std::shared_ptr<const AnalysedRun>& run) {
    return !run->facts.ranks.empty() && run->facts.ranks.size() == run->run->ranks.size();
}

}  // namespace

CheckPanel::CheckPanel(const Theme& theme, QWidget* parent)
    : DeferredPanel(parent), theme_(theme), run_(new QComboBox), body_(new RichText(tr("Health check"), 4)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(12, 8, 4, 0);
    layout->setSpacing(6);
    layout->addLayout(makeChoices());
    layout->addWidget(body_, 1);
    connect(run_, &QComboBox::currentIndexChanged, this, &CheckPanel::work);
    connect(body_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
    text_.html = tr("Open a run to see where to look first.").toHtmlEscaped();
}

QLayout* CheckPanel::makeChoices() {
    auto* row = new WrappingRow;
    auto* group = new QButtonGroup(this);
    const std::array<QString, kCheckPages> titles = {tr("Health check"), tr("Protocol"), tr("Check lists")};
    for (std::size_t i = 0; i < kCheckPages; ++i) {
        auto* button = new QPushButton(titles.at(i));
        button->setProperty("role", QStringLiteral("choice"));
        button->setCheckable(true);
        button->setChecked(i == 0);
        group->addButton(button);
        row->addWidget(button);
        pages_.at(i) = button;
        connect(button, &QPushButton::clicked, this, [this, i] { showPage(static_cast<CheckPage>(i)); });
    }
    run_->setAccessibleName(tr("Run"));
    run_->hide();
    row->addWidget(run_);
    return row;
}

void CheckPanel::setRuns(const OpenRuns& runs) {
    if (std::ranges::equal(runs_, runs)) {
        return;
    }
    runs_ = runs;
    offerRuns(*run_, runs_);
    work();
}

void CheckPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    work();
}

void CheckPanel::showPage(CheckPage page) {
    page_ = page;
    pages_.at(static_cast<std::size_t>(page))->setChecked(true);
    work();
}

QString CheckPanel::words() const {
    return body_->toPlainText();
}

void CheckPanel::work() {
    const std::uint32_t index = chosenRun(*run_);
    if (index >= runs_.size() || !isAnalysed(runs_[index])) {
        job_.forget();
        text_ = {};
        text_.html = (runs_.empty() ? tr("Open a run to see where to look first.")
                                    : tr("The health check starts when all ranks are read."))
                         .toHtmlEscaped();
        outdate();
        Q_EMIT checked(0);
        return;
    }
    CheckRequest request{runs_[index], index, nullptr, nullptr, page_, theme_};
    if (runs_.size() == 2 && index == 0 && isAnalysed(runs_[1])) {
        request.after = runs_[1];
    }
    job_.start([this, request](const std::stop_token& stop) mutable -> LatestJob::Show {
        if (stop.stop_requested()) {
            return {};
        }
        request.words = translatedCheckSentences();
        return [this, made = makeCheckText(request)] {
            text_ = made;
            outdate();
            Q_EMIT checked(text_.look);
        };
    });
}

void CheckPanel::refresh() {
    body_->write(text_.html, theme_);
}

void CheckPanel::follow(const QString& link) {
    if (const std::optional<SliceSelection> slice = sliceOfLink(link)) {
        Q_EMIT sliceActivated(*slice);
        return;
    }
    const QString kind = link.section(QLatin1Char(':'), 0, 0);
    const QString first = link.section(QLatin1Char(':'), 1, 1);
    const std::uint32_t second = link.section(QLatin1Char(':'), 2, 2).toUInt();
    if (kind == QStringLiteral("finding")) {
        Q_EMIT findingAsked({first.toUInt(), second});
    } else if (kind == QStringLiteral("rank")) {
        Q_EMIT rankActivated(first.toUInt(), RankPosition(second));
    } else if (kind == QStringLiteral("panel")) {
        Q_EMIT panelAsked(first, link.section(QLatin1Char(':'), 2, 2));
    }
}

}  // namespace rankscope::ui
