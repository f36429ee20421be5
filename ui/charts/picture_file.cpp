// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/picture_file.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QImage>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace rankscope::ui {
namespace {

constexpr qreal kPngScale = 2.0;

QString tr(const char* words) {
    return QCoreApplication::translate("PictureFile", words);
}

}  // namespace

QString savePicture(const QString& path, const QSize& size, const QColor& background,
                    const std::function<void(QPainter&)>& paint) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return file.errorString();
    }
    bool drawn = true;
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setTitle(QStringLiteral("Rankscope"));
        QPainter painter(&svg);
        painter.fillRect(QRect(QPoint(), size), background);
        paint(painter);
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
    return drawn && file.commit() ? QString() : file.errorString();
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
    if (!path.contains(QLatin1Char('.'))) {
        path += chosen == svg ? QStringLiteral(".svg") : QStringLiteral(".png");
    }
    if (const QString why = savePicture(path, size, background, paint); !why.isEmpty()) {
        QMessageBox::warning(parent, tr("Save as a picture"), tr("%1 could not be written: %2").arg(path, why));
    }
}

}  // namespace rankscope::ui
