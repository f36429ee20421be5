// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;
class QWidget;

namespace rankscope::ui {

/// Writes what `paint` draws on `background` as a picture: SVG if `path` ends in that, else PNG at twice the size. An
/// existing file is replaced as a whole, or stays as it was. Returns the error, with the path, else an empty text.
[[nodiscard]] QString savePicture(const QString& path, const QSize& size, const QColor& background,
                                  const std::function<void(QPainter&)>& paint);

/// Asks where to save a picture with the default name `name`, and saves it; reports success or the error.
void askAndSavePicture(QWidget* parent, const QString& name, const QSize& size, const QColor& background,
                       const std::function<void(QPainter&)>& paint);

}  // namespace rankscope::ui
