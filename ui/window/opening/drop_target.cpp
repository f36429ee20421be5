// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/drop_target.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>
#include <QUrl>

#include "core/remote/remote_path.h"

namespace rankscope::ui {

QStringList droppedPaths(const QMimeData* data) {
    QStringList paths;
    const auto take_remote = [&paths](const QString& text) {
        if (isRemotePath(text.toStdString())) {
            paths.append(text);
        }
    };
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile()) {
            paths.append(url.toLocalFile());
        } else {
            take_remote(url.toString(QUrl::FullyEncoded));
        }
    }
    if (!data->hasUrls()) {
        take_remote(data->text().trimmed());
    }
    return paths;
}

DropTarget::DropTarget(QWidget* window, const Theme& theme, const Session& session)
    : QWidget(window), theme_(theme), session_(session) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

void DropTarget::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::DragEnter:
        case QEvent::DragMove: return enter(static_cast<QDragMoveEvent*>(event));
        case QEvent::DragLeave: hide(); return false;
        case QEvent::Drop: return drop(static_cast<QDropEvent*>(event));
        case QEvent::Resize: setGeometry(parentWidget()->rect()); return false;
        default: return QWidget::eventFilter(watched, event);
    }
}

bool DropTarget::enter(QDragMoveEvent* event) {
    const QStringList paths = droppedPaths(event->mimeData());
    if (paths.isEmpty()) {
        return false;
    }
    mode_ = event->modifiers().testFlag(Qt::AltModifier) ? OpenMode::Beside : OpenMode::Replace;
    count_ = paths.size();
    if (event->type() == QEvent::DragEnter) {  // it does not change until it leaves
        companions_ = kindOfFewFiles(paths);
    }
    side_ = sideOf(*event);
    event->setDropAction(Qt::CopyAction);
    event->accept();
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
    return true;
}

bool DropTarget::drop(QDropEvent* event) {
    hide();
    const QStringList paths = droppedPaths(event->mimeData());
    if (paths.isEmpty()) {
        return false;
    }
    event->setDropAction(Qt::CopyAction);
    event->accept();
    const bool beside = event->modifiers().testFlag(Qt::AltModifier);
    const std::optional<Side> side = sideOf(*event);
    if (beside && side && !kindOfFewFiles(paths)) {
        Q_EMIT droppedOn(*side, paths);
    } else {
        Q_EMIT dropped(paths, beside ? OpenMode::Beside : OpenMode::Replace);
    }
    return true;
}

std::optional<Side> DropTarget::sideOf(const QDropEvent& event) const {
    return side_at_ ? side_at_(parentWidget()->mapToGlobal(event.position().toPoint())) : std::nullopt;
}

void DropTarget::paintEvent(QPaintEvent* event) {
    (void)event;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme_.window;
    veil.setAlphaF(0.92F);
    painter.fillRect(rect(), veil);
    QPen pen(theme_.accent);
    pen.setWidth(2);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 14, 14);

    QFont large = theme_.ui_font;
    large.setPointSizeF(18.0);
    large.setWeight(QFont::DemiBold);
    painter.setFont(large);
    painter.setPen(theme_.text);
    const QRect middle = rect().adjusted(0, -20, 0, -20);
    painter.drawText(middle, Qt::AlignCenter, what());
    painter.setFont(theme_.ui_font);
    painter.setPen(theme_.text_dim);
    painter.drawText(middle.translated(0, 36), Qt::AlignCenter, otherwise());
}

QString DropTarget::what() const {
    const std::size_t open = session_.runs().size();
    const auto count = static_cast<int>(count_);
    if (companions_ == CompanionKind::Snapshots) {
        return count_ == 1 ? tr("Drop to show this memory snapshot")
                           : tr("Drop to show these %n memory snapshots", nullptr, count);
    }
    if (companions_ == CompanionKind::Logs) {
        return count_ == 1 ? tr("Drop to show this NCCL log") : tr("Drop to show these %n NCCL logs", nullptr, count);
    }
    if (companions_ == CompanionKind::Dumps) {
        return count_ == 1 ? tr("Drop to show this dump of a hang")
                           : tr("Drop to show these %n dumps of a hang", nullptr, count);
    }
    if (side_ && mode_ == OpenMode::Beside) {
        return *side_ == Side::A ? tr("Drop to add a recording to A") : tr("Drop to add a recording to B");
    }
    if (open > 0 && mode_ == OpenMode::Beside) {
        return open == 1 ? tr("Drop to compare") : tr("Drop to open beside");
    }
    return count_ == 1 ? tr("Drop to open") : tr("Drop to open these %n together", nullptr, static_cast<int>(count_));
}

QString DropTarget::otherwise() const {
    const std::size_t open = session_.runs().size();
    if (open == 0) {
        return {};
    }
    if (companions_) {
        return tr("What is open stays open.");
    }
    if (mode_ == OpenMode::Beside) {
        return tr("Without Alt it replaces what is open.");
    }
    if (side_) {
        return tr("It replaces what is open. Hold Alt over A or B to add a recording there.");
    }
    return open == 1 ? tr("It replaces what is open. Hold Alt to compare it with what is open.")
                     : tr("It replaces what is open. Hold Alt to open it beside.");
}

}  // namespace rankscope::ui
