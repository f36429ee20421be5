// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/hang/hang_panel.h"

#include <QUrl>
#include <utility>

#include "core/report/hang.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {

HangPanel::HangPanel(const Theme& theme, QWidget* parent)
    : CompanionPanel(theme, tr("Close the Dumps"), tr("Why the job hangs"), parent) {
    arrange();
    connect(&tables(), &TableChoice::rowActivated, this, [this](const QString& table, std::uint32_t row) {
        if (page_ != nullptr && table == page_->tables.front().title) {
            writeAbout(row);
        }
    });
    connect(&body(), &RichText::anchorClicked, this, [this](const QUrl& url) {
        if (page_ != nullptr && url.toString() == QLatin1String(kLastCallLink) && page_->last.at(culprit_).slice) {
            Q_EMIT sliceActivated(*page_->last[culprit_].slice);
        }
    });
    showNothing();
}

void HangPanel::setRuns(const OpenRuns& runs) {
    if (runs != runs_) {
        runs_ = runs;
        outdate();
    }
}

void HangPanel::setDumps(std::shared_ptr<const ReadDumps> dumps) {
    if (dumps != dumps_) {
        dumps_ = std::move(dumps);
        outdate();
    }
}

void HangPanel::setTheme(const Theme& theme) {
    CompanionPanel::setTheme(theme);
    writeAbout(culprit_);
}

void HangPanel::refresh() {
    if (dumps_ == nullptr) {
        showNothing();
        return;
    }
    work([dumps = dumps_, runs = runs_] { return std::make_shared<const HangPage>(hangPage(*dumps, runs)); },
         [this](const auto& page) { showPage(page); });
}

void HangPanel::showNothing() {
    job().forget();
    page_.reset();
    showNone(tr("Flight recorder"),
             tr("Drop the dumps of PyTorch's flight recorder, or a folder with them, on the window. Then who stops the "
                "job is here."),
             false);
}

void HangPanel::showPage(std::shared_ptr<const HangPage> page) {
    page_ = std::move(page);
    showContent(page_->title, page_->tables);
    writeAbout(0);
}

void HangPanel::writeAbout(std::size_t culprit) {
    culprit_ = culprit;
    if (page_ != nullptr) {
        write(hangHtml(*page_, culprit_, theme()));
    }
}

std::function<QString()> HangPanel::copied() const {
    return [dumps = dumps_, runs = runs_] { return text(hangScreen(dumps->hang, {}, true, linkedRuns(*dumps, runs))); };
}

}  // namespace rankscope::ui
