// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/picture_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QSvgGenerator>
#include <cmath>
#include <optional>

#include "core/base/write_file.h"
#include "ui/theme/notice.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

constexpr qreal kPngScale = 2.0;

QString tr(const char* words) {
    return QCoreApplication::translate("rankscope::ui", words);
}

/// Text is laid out for a screen, where 10 points are 10 pixels.
int screenDpi() {
    const QScreen* const screen = QGuiApplication::primaryScreen();
    return screen == nullptr ? 96 : static_cast<int>(std::lround(screen->logicalDotsPerInchY()));
}

/// Adds fallback families for readers who do not have the fonts of the drawing: the generator names only one.
QByteArray withOtherFonts(const QByteArray& drawing) {
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]+)\""));
    QString svg = QString::fromUtf8(drawing);
    qsizetype from = 0;
    for (QRegularExpressionMatch found = family.match(svg); found.hasMatch(); found = family.match(svg, from)) {
        const QString name = found.captured(1);
        const bool even = name.contains(QStringLiteral("Mono"));
        const QString families = QStringLiteral("font-family=\"%1, %2\"")
                                     .arg(name, even ? QStringLiteral("monospace") : QStringLiteral("sans-serif"));
        svg.replace(found.capturedStart(), found.capturedLength(), families);
        from = found.capturedStart() + families.size();
    }
    return svg.toUtf8();
}

}  // namespace

QString savePicture(const QString& path, const QSize& size, const QColor& background,
                    const std::function<void(QPainter&)>& paint) {
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    bool drawn = true;
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setResolution(screenDpi());  // its default is 72, which would make text three quarters as large
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setTitle(QStringLiteral("Rankscope"));
        QPainter painter(&svg);
        painter.fillRect(QRect(QPoint(), size), background);
        paint(painter);
        painter.end();
        bytes = withOtherFonts(bytes);
    } else {
        QImage image(size * kPngScale, QImage::Format_RGB32);
        image.setDevicePixelRatio(kPngScale);
        image.fill(background);
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        paint(painter);
        painter.end();
        drawn = image.save(&file, "PNG");
    }
    if (!drawn) {
        return tr("%1: the picture cannot be drawn").arg(path);
    }
    const std::optional<Error> error =
        writeFileAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return error ? QString::fromStdString(error->text()) : QString();
}

void askAndSavePicture(QWidget* parent, const QString& name, const QSize& size, const QColor& background,
                       const std::function<void(QPainter&)>& paint) {
    const QString svg = tr("Drawing (*.svg)");
    const QString png = tr("Picture (*.png)");
    QString chosen;
    QString path = QFileDialog::getSaveFileName(parent, tr("Save as a picture"), name + QStringLiteral(".png"),
                                                png + QStringLiteral(";;") + svg, &chosen);
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += chosen == svg ? QStringLiteral(".svg") : QStringLiteral(".png");
    }
    if (const QString why = savePicture(path, size, background, paint); !why.isEmpty()) {
        warnPlainly(parent, tr("Save as a picture"), why);
    } else if (NoticeBoard* const board = noticeBoardOf(*parent)) {
        board->showNotice(tr("Saved"), path);
    }
}

}  // namespace rankscope::ui
