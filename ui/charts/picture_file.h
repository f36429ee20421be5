// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;
class QWidget;

namespace rankscope::ui {

/// Writes what `paint` draws on `background` as a picture: SVG where `path` ends so, else PNG at twice the size. A file
/// that is there already is replaced as a whole, or stays as it was. Returns what went wrong, with the path, else an
/// empty text.
[[nodiscard]] QString savePicture(const QString& path, const QSize& size, const QColor& background,
                                  const std::function<void(QPainter&)>& paint);

/// Asks where to save a picture that is called `name`, and saves it there; says so, or that it cannot be written.
void askAndSavePicture(QWidget* parent, const QString& name, const QSize& size, const QColor& background,
                       const std::function<void(QPainter&)>& paint);

}  // namespace rankscope::ui
