// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/panels/compute/calls_request.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// A call tree as a flame graph that hangs down: the width is the time, with callees beneath the caller, the longest
/// first. A click chooses a call, a double click or Enter shows it over the whole width, Backspace goes back out; the
/// arrows move to callers and callees. Calls that are too small to draw share one strip, which says how many they are.
class FlameView : public QAbstractScrollArea, public Spoken {
    Q_OBJECT

  public:
    explicit FlameView(const Theme& theme, QWidget* parent = nullptr);

    /// Draws all of these calls; nullptr draws nothing.
    void setCalls(std::shared_ptr<const ShownCalls> calls);
    /// Draws in the colours and the font of this theme from now on.
    void setTheme(const Theme& theme);
    /// Dims the calls whose name does not contain `letters`, case-insensitive; no letters dim nothing.
    void setFilter(const QString& letters);

    /// Shows this node over the whole width, its callers above.
    void zoomTo(std::uint32_t node);
    /// Zooms out to the caller of the node that has the whole width.
    void zoomOut();
    /// The node that has the whole width.
    [[nodiscard]] std::uint32_t top() const { return top_; }
    /// The chosen node, if any.
    [[nodiscard]] std::optional<std::uint32_t> chosen() const { return chosen_; }
    /// Chooses a node, and scrolls it into view.
    void choose(std::uint32_t node);

    /// The place of a node in the viewport; empty if it is not drawn.
    [[nodiscard]] QRect placeOf(std::uint32_t node) const;
    /// What is drawn at a point of the viewport: a node, or the strip of the smaller calls in it; nothing below all of
    /// them.
    struct Hit {
        std::uint32_t node = 0;
        std::uint32_t hidden = 0;  ///< for a strip: the number of calls in it
    };
    [[nodiscard]] std::optional<Hit> hitAt(const QPoint& point) const;

    /// The text for screen readers: the chosen call, and each drawn call.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return boxes_.size(); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The user has chosen a node.
    void nodeChosen(std::uint32_t node);
    /// The user wants the context menu of a node, at a place on the screen.
    void menuAsked(std::uint32_t node, const QPoint& at);

  protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    /// A rectangle of the picture: a node, or a strip of nodes narrower than a pixel.
    struct Box {
        double from = 0.0;  ///< pixels
        double to = 0.0;
        int row = 0;
        std::uint32_t node = 0;
        std::uint32_t hidden = 0;
    };

    void layOut();
    void placeChildren(const Box& of);
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] QRectF place(const Box& box) const;
    [[nodiscard]] const Box* boxOf(std::uint32_t node) const;
    void paintBox(QPainter& painter, const Box& box) const;
    [[nodiscard]] bool dimmed(std::uint32_t node) const;
    /// Whether a call took more than in the other run (1), less (-1), or is not compared.
    [[nodiscard]] int way(const CallNode& node) const;
    [[nodiscard]] QString tipOf(const Hit& hit) const;
    void chooseByUser(std::uint32_t node);
    void moveChoice(int key);
    void showTip(const QPoint& local, const QPoint& global);

    Theme theme_;
    std::shared_ptr<const ShownCalls> calls_;
    std::vector<bool> matches_;  // by name: whether it matches the filter; empty without a filter
    QString filter_;
    std::uint32_t top_ = 0;
    std::optional<std::uint32_t> chosen_;
    std::vector<Box> boxes_;  // by row, each from the left
    int rows_ = 0;
};

}  // namespace rankscope::ui
