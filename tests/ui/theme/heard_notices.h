// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/theme/notice.h"

namespace rankscope::test {

/// What a window would say of what is done in one of its parts.
class HeardNotices : public QWidget, public ui::NoticeBoard {
  public:
    /// `parent`: the part itself, as a window of its own, or what it is in.
    explicit HeardNotices(QWidget* parent) : QWidget(parent) { setObjectName(QLatin1String(kObjectName)); }
    void showNotice(const QString& title, const QString& about) override { heard = {title, about}; }
    void showPassing(const QString& words) override { heard = {words}; }

    QStringList heard;  ///< the last, in its lines
};

}  // namespace rankscope::test
