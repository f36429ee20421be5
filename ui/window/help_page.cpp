// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace rankscope::ui {
namespace {

constexpr QSize kSize(820, 720);
constexpr int kMargin = 24;
constexpr int kScrollBar = 24;

/// Pictures of the documentation are those of a whole window: here they are as wide as the page.
class Pages : public QTextBrowser {
  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        QVariant found = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource || !found.isValid()) {
            return found;
        }
        const QImage picture =
            found.typeId() == QMetaType::QByteArray ? QImage::fromData(found.toByteArray()) : found.value<QImage>();
        const int room = kSize.width() - 2 * kMargin - kScrollBar;
        return picture.width() > room ? picture.scaledToWidth(room, Qt::SmoothTransformation) : picture;
    }
};

}  // namespace

HelpPage::HelpPage(const QString& title, const QString& path, QWidget* parent) : QDialog(parent), text_(new Pages) {
    setWindowTitle(title);
    text_->setAccessibleName(title);
    text_->setFrameShape(QFrame::NoFrame);
    text_->document()->setDocumentMargin(kMargin);
    text_->setOpenExternalLinks(false);
    text_->setOpenLinks(false);
    QFile file(path);
    if (!path.isEmpty() && file.open(QIODevice::ReadOnly)) {
        text_->setSearchPaths({QFileInfo(path).absolutePath()});
        text_->setMarkdown(QString::fromUtf8(file.readAll()));
    } else {
        text_->setPlainText(tr("This page of the documentation is not installed beside the program."));
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text_);
    resize(kSize);
}

QString helpPagePath(const QString& name) {
    const QDir program(QCoreApplication::applicationDirPath());
    // A build tree lies at most this deep below the source tree: build/<preset>/<config>.
    for (const char* place : {"../share/rankscope/docs", "docs", "../docs", "../../docs", "../../../docs"}) {
        const QString path = program.absoluteFilePath(QLatin1String(place) + QLatin1Char('/') + name);
        if (QFileInfo::exists(path)) {
            return QDir::cleanPath(path);
        }
    }
    return {};
}

}  // namespace rankscope::ui
