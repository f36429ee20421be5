// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

class QTableView;

namespace rankscope::ui {

struct Theme;

/// The widths of a column, in pixels.
struct ColumnWidths {
    int preferred = 0;  // if there is room for all columns
    int needed = 0;     // for all of its content
    int least = 0;      // with text cut; a number is never cut
};

/// The widths with which columns fit into `room`: preferred ones if they fit. Otherwise first the space around contents
/// goes, of all columns in proportion, then text is cut, the widest first. The result may still be too wide.
[[nodiscard]] std::vector<int> widthsIn(int room, const std::vector<ColumnWidths>& columns);

/// Letters that are left of a text that is cut, and of a name.
inline constexpr int kLeastOfText = 14;
inline constexpr int kLeastOfName = 24;

/// Makes the columns of a table narrower, by widthsIn(), if its view has no room for the current widths. The first
/// column has names. Reads up to 200 cells of each column. Hidden columns, and those without text that a delegate
/// draws, keep their width.
void shrinkColumns(QTableView& table);

/// Fits the columns of a table into its view, when that is resized or the model that the table had at first is reset.
/// Call fit() when another model changes. A column that the user has resized keeps its width.
class ColumnFit : public QObject {
  public:
    /// It is owned by the table, which has its model and its look already.
    explicit ColumnFit(QTableView& table);

    /// `preferred` has a width for each column of the model, with text of the default size. `rest` is the column that
    /// gets the rest of the view, and keeps `letters` if it is cut; -1 for none. Without widths the columns stay as
    /// they are.
    void setPreferred(std::vector<int> preferred, int rest = -1, int letters = kLeastOfText);
    /// Fits the columns to the contents.
    void fit();
    /// Scales widths and rows by the text size of this theme. Call it for each theme.
    void setTheme(const Theme& theme);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    [[nodiscard]] ColumnWidths widthsOfColumn(int column) const;

    QTableView& table_;
    std::vector<int> preferred_;
    std::vector<bool> by_user_;
    int rest_ = -1;
    int letters_ = kLeastOfText;
    bool fitting_ = false;
};

}  // namespace rankscope::ui
