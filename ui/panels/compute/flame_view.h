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

/// A call tree as a flame graph that hangs down: as wide as it took, the calls beneath the caller, the longest first.
/// Click to choose a call, double click or Enter to see it alone over the whole width, Backspace to go back out; the
/// arrows lead through callers and callees. What is too small to be drawn is one strip that says how many calls it is.
class FlameView : public QAbstractScrollArea, public Spoken {
    Q_OBJECT

  public:
    explicit FlameView(const Theme& theme, QWidget* parent = nullptr);

    /// Draws these calls, all of them; nullptr draws nothing.
    void setCalls(std::shared_ptr<const ShownCalls> calls);
    /// Draws in the colours and the font of this theme from now on.
    void setTheme(const Theme& theme);
    /// Dims the calls whose name does not hold `letters`, whatever the case; no letters dim nothing.
    void setFilter(const QString& letters);

    /// Shows this node over the whole width, its callers above.
    void zoomTo(std::uint32_t node);
    /// Shows what calls the node that has the whole width.
    void zoomOut();
    /// The node that has the whole width.
    [[nodiscard]] std::uint32_t top() const { return top_; }
    /// The chosen node; nothing where none is.
    [[nodiscard]] std::optional<std::uint32_t> chosen() const { return chosen_; }
    /// Chooses a node, and scrolls so that it is seen.
    void choose(std::uint32_t node);

    /// Where a node is drawn in the viewport; empty where it is not.
    [[nodiscard]] QRect placeOf(std::uint32_t node) const;
    /// What is drawn at a point of the viewport: a node, or the strip of the smaller calls in it; nothing below all.
    struct Hit {
        std::uint32_t node = 0;
        std::uint32_t hidden = 0;  ///< of a strip: how many calls it represents
    };
    [[nodiscard]] std::optional<Hit> hitAt(const QPoint& point) const;

    /// What a screen reader says: the chosen call, and each drawn call.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return boxes_.size(); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The user has chosen a node.
    void nodeChosen(std::uint32_t node);
    /// The user wants the menu of a node, at a place on the screen.
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
    /// A rectangle of the picture: a node, or a strip of nodes that are less than a pixel wide.
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
    std::vector<bool> matches_;  // by name: whether the filter has it; empty without one
    QString filter_;
    std::uint32_t top_ = 0;
    std::optional<std::uint32_t> chosen_;
    std::vector<Box> boxes_;  // by row, each from the left
    int rows_ = 0;
};

}  // namespace rankscope::ui
