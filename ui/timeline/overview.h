// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/theme/spoken.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/paint/overview_picture.h"
#include "ui/timeline/rows/rank_arrangement.h"

class QActionGroup;
class QPushButton;

namespace rankscope::ui {

/// The whole run above the tracks: how busy each rank's device was, and one cell for each step of each rank, coloured
/// by a measure. The visible window can be dragged and resized there; a click on a cell goes to that step of that rank.
/// With the keyboard, arrows move between cells, and Enter goes there.
class Overview : public QWidget, public Spoken {
    Q_OBJECT

  public:
    explicit Overview(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the model. The ranks of each run are in `order`, like the rows below.
    void setModel(const TimelineModel& model, const TimeSpan& limits, const RankArrangement& order);
    /// Sets the order of the ranks.
    void setOrder(const RankArrangement& order);
    /// Sets the colours and the text size.
    void setTheme(const Theme& theme);
    /// Sets the space at the left, in logical pixels, so that its times align with those of the tracks.
    void setSide(int side);
    /// Sets the window that the timeline shows.
    void setWindow(const TimeSpan& window);
    [[nodiscard]] StepMeasure measure() const { return wanted_; }
    /// The button that chooses the measure of the cells.
    [[nodiscard]] QPushButton& button() { return *button_; }
    /// Shows another measure in the cells, and announces it.
    void setMeasure(StepMeasure measure);

    /// The hits of the search: their starts on the axis, sorted; nullptr for none.
    void setHits(std::shared_ptr<const std::vector<TimeNs>> hits);
    /// How many pixels are marked because a hit starts there.
    [[nodiscard]] int hitPixels() const;

    /// The best height for the ranks; 0 if there is nothing to show.
    [[nodiscard]] int preferredHeight() const;
    /// Where the whole run and the cells are drawn, in logical pixels.
    [[nodiscard]] QRect busyArea() const;
    [[nodiscard]] QRect cellArea() const;
    /// A rank that is named beside its cells: those that findings name first, then the top and the bottom one, as far
    /// as they fit.
    struct RowName {
        QString name;
        QRect place;  ///< logical pixels
    };
    [[nodiscard]] std::vector<RowName> rowNames() const;
    /// The values of the lowest and the highest colour of the cells; words if there are several runs, each with its own
    /// scale.
    [[nodiscard]] std::pair<QString, QString> scaleEnds() const;
    /// Where the scale of their colours is drawn, with its ends, in logical pixels.
    [[nodiscard]] QRect scalePlace() const;
    /// Waits for the picture: for screenshots and tests.
    void finish();

    /// For screen readers: the current cell of the keyboard, and a part for each rank.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return shown_.ranks.size(); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The pointer has entered the overview.
    void pointerEntered();
    /// The user wants to see this span of time.
    void windowAsked(const rankscope::TimeSpan& window);
    /// The user wants to see a step of a rank: RankFacts::steps[step].
    void cellActivated(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// The cells show a different measure.
    void measureChanged(rankscope::StepMeasure measure);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    enum class Drag : std::uint8_t { None, Pressed, Move, Left, Right, New };
    struct Tick {
        TimeNs at_ns = 0;
        QColor color;
        int height = 0;  // logical pixels: higher for a more severe finding
    };
    struct Made {
        OverviewScene scene;
        OverviewPicture picture;
        std::vector<std::size_t> named;  ///< named by findings: indices into scene.ranks
    };

    /// The content left of the busy area: the title, if it fits, and the scale.
    struct Head {
        QRect title;
        bool titled = false;
        QRect scale;
        int bar = 0;  ///< logical pixels, of the colour bar
        QString coolest;
        QString hottest;
    };

    static constexpr int kLeastWindow = 6;  // logical pixels: the least width with which the window is drawn

    [[nodiscard]] static QString titleOf(StepMeasure measure);
    void orderRanks();
    void remake();
    void placeButton();
    void showMeasure();
    /// Sets the longest text that fits on the button.
    void nameButton(const QString& title);
    [[nodiscard]] int cellsHeight() const;
    [[nodiscard]] QRect area() const { return busyArea().united(cellArea()); }
    [[nodiscard]] double xOf(TimeNs axis_ns) const;
    [[nodiscard]] TimeNs timeAt(double x) const;
    [[nodiscard]] Drag zoneAt(const QPoint& at) const;
    [[nodiscard]] std::optional<OverviewScene::Cell> cellAt(const QPoint& at) const;
    [[nodiscard]] QString tipAt(const QPoint& at) const;
    [[nodiscard]] QString tipOf(const OverviewScene::Cell& cell) const;
    void activate(const OverviewScene::Cell& cell);
    /// The current cell of the keyboard, if the picture still has it.
    [[nodiscard]] std::optional<OverviewScene::Cell> chosenCell() const;
    /// The cell that an arrow leads to from the current one; the first cell if there is none.
    [[nodiscard]] std::optional<OverviewScene::Cell> cellBeside(int key) const;
    /// Where a cell is drawn, in logical pixels.
    [[nodiscard]] QRectF placeOf(const OverviewScene::Cell& cell) const;
    [[nodiscard]] QString rankName(std::size_t rank) const;
    void paintChosen(QPainter& painter) const;
    void paintWindow(QPainter& painter) const;
    /// Paints the words at the left of the picture.
    void paintSide(QPainter& painter) const;
    [[nodiscard]] Head headOf(const QFontMetrics& metrics) const;
    [[nodiscard]] QFont headFont() const;
    static void paintScale(QPainter& painter, const Head& head, const Theme& theme);
    /// Calls `mark` with each pixel of the busy area in which a hit starts.
    void forEachHitPixel(const std::function<void(int)>& mark) const;

    Theme theme_;
    int side_;
    std::vector<OverviewRank> ranks_;                      // by run and number
    std::vector<std::shared_ptr<const RunIndex>> orders_;  // by run; nullptr while they are being built
    RankArrangement order_;
    OverviewScene scene_;  // the requested scene
    OverviewScene shown_;  // the scene of the picture
    OverviewPicture picture_;
    std::vector<std::size_t> named_;  // named by findings: indices into shown_.ranks
    std::vector<Tick> ticks_;         // findings
    std::shared_ptr<const std::vector<TimeNs>> hits_;
    TimeSpan window_;
    StepMeasure wanted_ = StepMeasure::Lateness;
    std::optional<OverviewScene::Cell> chosen_;  // by the keyboard
    Drag drag_ = Drag::None;
    QPoint pressed_;
    TimeSpan pressed_window_;
    QPushButton* button_;
    QActionGroup* measures_;  // as StepMeasure
    LatestJob job_;
};

}  // namespace rankscope::ui
