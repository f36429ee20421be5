// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QStringList>
#include <cmath>
#include <utility>

#include "ui/theme/text_scale.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

// One rule per line. @name@ is a colour of the theme. `role` is a dynamic property of widgets. Icons next to text have
// their pixels in sp: they grow with the text.
constexpr const char* kWindows = R"(
QMainWindow, QDialog { background: @window@; color: @text@; }
QWidget[role="surface"], QScrollArea[role="surface"], QFrame[role="surface"] { background: @surface@; }
QWidget[role="strip"] { background: @surface@; border-bottom: 1px solid @border@; }
QFrame[role="popup"] { background: @surface@; border: 1px solid @border@; }
QWidget[role="drop"] { background: @surface@; border: 2px dashed @border@; border-radius: 12px; }
QSplitter::handle { background: @border@; }
QSplitter::handle:hover { background: @accent@; }
QToolTip { background: @raised@; color: @text@; border: 1px solid @border@; padding: 6px 8px; }
)";
constexpr const char* kMenus = R"(
QMenuBar { background: @window@; color: @text_dim@; border-bottom: 1px solid @border@; padding: 2px 8px; }
QMenuBar::item { padding: 5px 10px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @raised@; color: @text@; }
QMenu { background: @surface@; color: @text@; border: 1px solid @border@; padding: 6px; }
QMenu::item { padding: 6px 28sp 6px 24sp; border-radius: 5px; }
QMenu::item:selected { background: @raised@; }
QMenu::item:disabled { color: @text_dim@; }
QMenu::separator { height: 1px; background: @border@; margin: 6px 8px; }
QMenu::indicator { width: 12sp; height: 12sp; left: 7sp; }
QMenu::right-arrow { image: url(:/icons/chevron-right.svg); width: 10sp; height: 10sp; right: 8px; }
)";
constexpr const char* kLabels = R"(
QLabel { color: @text@; background: transparent; }
QLabel[role="dim"] { color: @text_dim@; }
QLabel[role="error"] { color: @error@; }
QLabel[role="section"] { color: @text_dim@; font-weight: 600; }
QLabel[role="title"] { color: @text@; font-weight: 600; font-size: 12pt; }
QLabel[role="passing"] { background: @raised@; color: @text@; border: 1px solid @border@; border-radius: 6px; padding: 8px 14px; }
QLabel[role="heading"] { color: @text@; font-weight: 600; }
QLabel[role="hero"] { color: @text@; font-weight: 600; font-size: 24pt; }
QLabel[role="mark"] { color: @text@; border: 1px solid @good@; border-radius: 5px; padding: 0 5px; font-size: 9pt; }
QLabel[role="lead"] { color: @text_dim@; font-size: 11pt; }
)";
constexpr const char* kButtons = R"(
QPushButton { background: @raised@; color: @text@; border: 1px solid @border@; border-radius: 6px; padding: 6px 14px;
  outline: none; }
QPushButton:hover { border-color: @text_dim@; }
QPushButton:pressed { background: @border@; }
QPushButton:focus { border-color: @accent@; }
QPushButton:disabled { color: @text_dim@; }
QPushButton[role="primary"] { background: @accent@; color: @on_accent@; border-color: @accent@; font-weight: 600; }
QPushButton[role="primary"]:focus { border-color: @text@; }
QPushButton[role="primary"]:disabled { background: @raised@; color: @text_dim@; border-color: @border@; }
QPushButton[role="quiet"] { background: transparent; border-color: transparent; color: @text_dim@; padding: 4px 8px; }
QPushButton[role="quiet"]:hover { color: @text@; background: @raised@; }
QPushButton[role="quiet"]:focus { color: @text@; border-color: @accent@; }
QPushButton[role="row"] { background: transparent; border: none; text-align: left; padding: 6px 10px; color: @accent@; }
QPushButton[role="row"]:focus { background: @raised@; }
QPushButton[role="choice"] { background: transparent; border: 1px solid transparent; text-align: left; padding: 1px 7px;
  color: @text_dim@; }
QPushButton[role="choice"]:checked { background: @raised@; color: @text@; }
QPushButton[role="choice"]:hover { color: @text@; }
QPushButton[role="choice"]:focus { color: @text@; border-color: @accent@; }
QPushButton[role="page"] { background: transparent; border: 1px solid transparent; text-align: left; padding: 4px 8px;
  color: @text_dim@; }
QPushButton[role="page"]:checked { background: @raised@; color: @text@; }
QPushButton[role="page"]:hover { color: @text@; }
QPushButton[role="page"]:focus { color: @text@; border-color: @accent@; }
QPushButton[role="menu"] { background: transparent; border: none; text-align: left; padding: 2px 10px 2px 0; color: @text_dim@; }
QPushButton[role="menu"]:hover { color: @text@; }
QPushButton[role="menu"]:focus { color: @accent@; }
QPushButton[role="more"] { background: transparent; border: none; text-align: left; padding: 0; color: @text_dim@; }
QPushButton[role="more"]:hover, QPushButton[role="more"]:pressed { color: @text@; }
QPushButton[role="more"]:focus { color: @accent@; }
QPushButton::menu-indicator { image: url(:/icons/chevron-down.svg); width: 10sp; height: 10sp;
  subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }
QPushButton[role="row"]:hover, QPushButton[role="row"]:focus { background: @raised@; }
)";
constexpr const char* kViews = R"(
QAbstractScrollArea { background: @surface@; border: 1px solid @surface@; }
QScrollArea[role="page"] { background: transparent; border: none; }
QScrollArea[role="pages"] { border: none; border-right: 1px solid @border@; }
QWidget#column { background: @surface@; }
QAbstractScrollArea:focus { border-color: @accent@; }
QTableView, QTreeView { background: @surface@; color: @text@; gridline-color: transparent;
  selection-background-color: @raised@; selection-color: @text@; outline: none; }
QFileDialog QListView { color: @text@; selection-background-color: @raised@; selection-color: @text@; }
QTableView::item, QTreeView::item { padding: 2px @item_padding@px; border: none; }
QTableView::item:selected, QTreeView::item:selected { background: @raised@; color: @text@; }
QHeaderView { background: @surface@; border: none; }
QHeaderView::section { background: @surface@; color: @text_dim@; border: none; border-bottom: 1px solid @border@;
  padding: 6sp @cell_padding@px; font-weight: 600; }
QHeaderView::section:vertical { padding: 0; border: none; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up.svg); }
QHeaderView::down-arrow { image: url(:/icons/chevron-down.svg); }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 9sp; height: 9sp; margin-left: -9sp;
  subcontrol-position: top center; }
QTableCornerButton::section { background: @surface@; border: none; }
QTextBrowser, QPlainTextEdit, QLineEdit { background: @surface@; color: @text@;
  selection-background-color: @accent@; selection-color: @on_accent@; }
QPlainTextEdit[role="editor"] { background: @window@; border: 1px solid @border@; border-radius: 6px; padding: 4px; }
QPlainTextEdit[role="editor"]:focus { border-color: @accent@; }
QListView[role="words"] { background: @surface@; color: @text@; border: 1px solid @border@; outline: none; }
QLineEdit { border: 1px solid @border@; border-radius: 6px; padding: 5px 8px; }
QInputDialog QLineEdit { min-width: 520px; }
QLineEdit[role="note"] { padding: 0 6px; border-radius: 4px; }
QLineEdit:focus { border-color: @accent@; }
QComboBox { background: @raised@; color: @text@; border: 1px solid @border@; border-radius: 6px; padding: 4px 10px; }
QComboBox:focus { border-color: @accent@; }
QComboBox::drop-down { border: none; width: 22sp; }
QComboBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 10sp; height: 10sp; }
QComboBox QAbstractItemView { background: @surface@; color: @text@; border: 1px solid @border@;
  selection-background-color: @raised@; selection-color: @text@; outline: none; }
QCheckBox { color: @text@; spacing: 8px; background: transparent; outline: none; }
QCheckBox:focus { color: @accent@; }
QCheckBox::indicator { width: 13sp; height: 13sp; border: 1px solid @text_dim@; border-radius: 3px; background: @surface@; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; image: url(:/icons/@check@.svg); }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @border@; }
QSlider::sub-page:horizontal { border-radius: 2px; background: @text_dim@; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -5px 0; border-radius: 7px; border: 1px solid @text_dim@;
  background: @raised@; }
QSlider::handle:horizontal:hover { border-color: @text@; }
QSlider::handle:horizontal:focus { border-color: @accent@; background: @accent@; }
QTabWidget::pane { border: none; background: @surface@; }
QTabWidget::tab-bar { left: 8px; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @text_dim@; padding: 7px 12px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @text@; border-bottom: 2px solid @accent@; }
QTabBar::tear { width: 0; border: none; }
QTabBar::scroller { width: 22sp; }
QTabBar QToolButton { background: @window@; border: none; }
QTabBar QToolButton:hover { background: @raised@; }
QTabBar QToolButton::left-arrow { image: url(:/icons/chevron-left.svg); width: 12sp; height: 12sp; }
QTabBar QToolButton::right-arrow { image: url(:/icons/chevron-right.svg); width: 12sp; height: 12sp; }
QProgressBar { background: @raised@; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
)";
constexpr const char* kScrollBars = R"(
QScrollBar { background: @surface@; border: none; }
QAbstractScrollArea::corner { background: @surface@; border: none; }
QScrollBar:vertical { width: 10px; margin: 0; }
QScrollBar:horizontal { height: 10px; margin: 0; }
QScrollBar::handle { background: @border@; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @text_dim@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

constexpr int kFocusFrame = 3;  // pixels that the style adds to the padding of an item

/// Scales the sizes of text in `sheet` and of icons next to it, which are made for 10 pt, to `points`.
QString inProportion(const QString& sheet, double points) {
    static const QRegularExpression type_size(QStringLiteral("(\\d+)(pt|sp)\\b"));
    QString out;
    qsizetype from = 0;
    for (auto each = type_size.globalMatch(sheet); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const double size = match.captured(1).toDouble() * points / 10.0;
        out += sheet.mid(from, match.capturedStart() - from);
        out += match.captured(2) == QStringLiteral("pt") ? QStringLiteral("%1pt").arg(size, 0, 'f', 1)
                                                         : QStringLiteral("%1px").arg(std::lround(size));
        from = match.capturedEnd();
    }
    return out + sheet.mid(from);
}

}  // namespace

QString Theme::styleSheet() const {
    QString sheet;
    for (const char* part : {kWindows, kMenus, kLabels, kButtons, kViews, kScrollBars}) {
        sheet += QString::fromLatin1(part);
    }
    const std::pair<const char*, QColor> colours[] = {
        {"@window@", window}, {"@surface@", surface},
        {"@raised@", raised}, {"@border@", border},
        {"@text@", text},     {"@text_dim@", text_dim},
        {"@accent@", accent}, {"@error@", error},
        {"@good@", overlap},  {"@on_accent@", dark ? window : surface},
    };
    for (const auto& [name, colour] : colours) {
        sheet.replace(QLatin1String(name), colour.name());
    }
    sheet.replace(QLatin1String("@check@"), QLatin1String(dark ? "check-dark" : "check-light"));
    sheet.replace(QLatin1String("@cell_padding@"), QString::number(kCellPadding));
    sheet.replace(QLatin1String("@item_padding@"), QString::number(kCellPadding - kFocusFrame));
    return inProportion(sheet, ui_font.pointSizeF());
}

}  // namespace rankscope::ui
