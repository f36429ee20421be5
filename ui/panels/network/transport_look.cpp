// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/network/transport_look.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/theme/plain_text.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

using network::PathKind;

constexpr int kTransportLine = 34;  // pixels: shows a pattern at least twice
constexpr int kTransportHeight = 12;
constexpr int kTransportAbove = 5;  // in line with the words of a box beside it
constexpr int kTransportSpace = 6;
constexpr int kTransportBetween = 10;
constexpr double kTransportWidth = 1.8;
constexpr double kThick = 2.8;

QColor transportColour(PathKind kind, const Theme& theme) {
    const auto of = [&theme](QRgb dark, QRgb light) { return QColor::fromRgb(theme.dark ? dark : light); };
    switch (kind) {
        case PathKind::PeerToPeer: return of(0x00b386, 0x008a64);
        case PathKind::HostMemory: return of(0xe69f00, 0xb87a00);
        case PathKind::GpuRdma: return of(0x56b4e9, 0x1f77c0);
        case PathKind::HostNetwork: return of(0xcc79a7, 0xa8487f);
        case PathKind::Socket: return of(0xf0703a, 0xc04a00);
        case PathKind::Other: break;
    }
    return theme.text_dim;
}

QList<qreal> transportPattern(PathKind kind) {
    switch (kind) {
        case PathKind::PeerToPeer:
        case PathKind::GpuRdma: return {};
        case PathKind::HostMemory: return {5, 2.5};
        case PathKind::HostNetwork: return {6, 2, 1.5, 2};
        case PathKind::Socket: return {1.5, 2};
        case PathKind::Other: break;
    }
    return {1, 4};
}

}  // namespace

QString transportTitle(PathKind kind) {
    switch (kind) {
        case PathKind::PeerToPeer: return TransportLegend::tr("P2P: from GPU to GPU");
        case PathKind::HostMemory: return TransportLegend::tr("SHM: through host memory");
        case PathKind::GpuRdma: return TransportLegend::tr("NET with GPU RDMA");
        case PathKind::HostNetwork: return TransportLegend::tr("NET through host memory");
        case PathKind::Socket: return TransportLegend::tr("NET/Socket: TCP");
        case PathKind::Other: break;
    }
    return TransportLegend::tr("path not in the logs");
}

QPen transportPen(PathKind kind, const Theme& theme, double scale) {
    QPen pen(transportColour(kind, theme), (kind == PathKind::GpuRdma ? kThick : kTransportWidth) * scale);
    pen.setCapStyle(Qt::FlatCap);
    if (const QList<qreal> pattern = transportPattern(kind); !pattern.isEmpty()) {
        pen.setDashPattern(pattern);
    }
    return pen;
}

/// A sample of a line.
class TransportLegend::Line : public QWidget {
  public:
    Line(network::PathKind kind, const Theme& theme) : kind_(kind), theme_(theme) {
        setFixedSize(kTransportLine, kTransportHeight);
    }
    void setTheme(const Theme& theme) {
        theme_ = theme;
        update();
    }

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(transportPen(kind_, theme_));
        painter.drawLine(QPointF(0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

  private:
    network::PathKind kind_;
    Theme theme_;
};

TransportLegend::TransportLegend(const Theme& theme, QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What the lines mean"));
    auto* row = new WrappingRow(this);
    row->setContentsMargins(0, kTransportAbove, 0, 0);
    row->setSpacing(kTransportBetween);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        auto* entry = new QWidget;
        lines_.at(kind) = new Line(static_cast<PathKind>(kind), theme);
        QLabel* const title = plainLabel(transportTitle(static_cast<PathKind>(kind)));
        title->setProperty("role", QStringLiteral("dim"));
        auto* layout = new QHBoxLayout(entry);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(kTransportSpace);
        layout->addWidget(lines_.at(kind));
        layout->addWidget(title);
        entries_.at(kind) = entry;
        row->addWidget(entry);
        entry->hide();
    }
}

void TransportLegend::setKinds(const std::set<PathKind>& kinds) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        entries_.at(kind)->setVisible(kinds.contains(static_cast<PathKind>(kind)));
    }
}

void TransportLegend::setTheme(const Theme& theme) {
    for (Line* const line : lines_) {
        line->setTheme(theme);
    }
}

}  // namespace rankscope::ui
