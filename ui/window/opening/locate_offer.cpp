// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/locate_offer.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>

#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {

LocateOffer::LocateOffer(QWidget* parent) : QWidget(parent), about_(plainLabel()) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    auto* locate = new QPushButton(tr("Locate Folder..."));
    auto* decline = new QPushButton(tr("Not now"));
    decline->setProperty("role", QStringLiteral("quiet"));
    connect(locate, &QPushButton::clicked, this, &LocateOffer::askForFolder);
    connect(decline, &QPushButton::clicked, this, &QWidget::hide);
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(16, 6, 8, 6);
    line->addWidget(about_, 1);
    line->addWidget(locate);
    line->addWidget(decline);
    hide();
}

void LocateOffer::setMissing(int missing, int of_files) {
    about_->setText(of_files == 1 ? tr("The file of this session is missing.")
                    : missing == of_files
                        ? tr("The %n files of this session are missing.", nullptr, of_files)
                        : tr("Of the %1 files of this session, %n are missing.", nullptr, missing).arg(of_files));
    setVisible(missing > 0);
}

void LocateOffer::setMissingTraces(int missing, const QString& lay_in) {
    missing_ = missing;
    lay_in_ = lay_in;
    about_->setText(missing == 1 ? tr("The trace of a digest cannot be reached here. It was in %1.").arg(lay_in)
                                 : tr("The traces of %1 digests cannot be reached here. The first was in %2.")
                                       .arg(count(static_cast<std::uint64_t>(missing)), lay_in));
    setVisible(missing > 0);
}

void LocateOffer::askAgain(const QString& rank, const QString& lay_in) {
    setMissingTraces(std::max(1, missing_), missing_ > 0 ? QString(lay_in_) : lay_in);
    about_->setText(about_->text() + QLatin1Char(' ') + tr("A step of %1 is read from its own trace.").arg(rank));
}

void LocateOffer::sayNotThere(const QString& folder) {
    about_->setText(tr("None of these traces was found in %1 or below it.").arg(folder));
}

void LocateOffer::askForFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with the traces"));
    if (!folder.isEmpty()) {
        Q_EMIT located(folder);
    }
}

}  // namespace rankscope::ui
