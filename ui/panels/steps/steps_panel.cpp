// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps/steps_panel.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/panels/shared/iterations_choice.h"
#include "ui/panels/steps/steps_model.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

/// Draws the bar column, and a line above each new step.
class StepDelegate : public CellDelegate {
  public:
    StepDelegate(const StepsModel* model, QObject* parent) : CellDelegate(parent), model_(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        CellDelegate::paint(painter, option, index);
        if (index.row() > 0 && model_->startsStep(index.row())) {
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1),
                              model_->theme().border);
        }
        if (index.column() == StepsModel::kBar) {
            const QRectF area = QRectF(option.rect).adjusted(8, 8, -8, -7);
            paintStackedBar(*painter, area, model_->parts(index.row()), model_->theme().surface);
        }
    }

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
        if (event->type() == QEvent::ToolTip && index.column() == StepsModel::kBar) {
            QStringList lines;
            for (const BarPart& part : model_->parts(index.row())) {
                lines.append(part.what);
            }
            QToolTip::showText(event->globalPos(), plainTip(lines.join(QLatin1Char('\n'))), view);
            return true;
        }
        return CellDelegate::helpEvent(event, view, option, index);
    }

  private:
    const StepsModel* model_;
};

}  // namespace

StepsPanel::StepsPanel(const Theme& theme, QWidget* parent)
    : DeferredPanel(parent),
      iterations_(new IterationsChoice),
      model_(new StepsModel(theme, this)),
      table_(new QTableView),
      empty_(plainLabel()) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    table_->setModel(model_);
    dressTable(*table_);
    auto* delegate = new StepDelegate(model_, table_);
    table_->setItemDelegate(delegate);
    table_->setItemDelegateForColumn(StepsModel::kBar, delegate);  // it is only drawn: CSV has no such column
    table_->setAccessibleName(tr("Breakdown of each step, on each rank"));
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    fit_ = new ColumnFit(*table_);
    fit_->setPreferred({120, 52, 92, 72, 96, 64, 92, 120, 112, 92, 64}, StepsModel::kNotes);
    fit_->setTheme(theme);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const SliceSelection mark = model_->mark(index.row()); mark.slice.valid()) {
            Q_EMIT sliceActivated(mark);
        }
    });
    empty_->setProperty("role", QStringLiteral("dim"));
    empty_->setMargin(16);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 0);
    layout->setSpacing(0);
    layout->addWidget(iterations_);
    layout->addWidget(table_);
    layout->addWidget(empty_);
    setRuns({});
}

void StepsPanel::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) {
    runs_ = runs;
    iterations_->setRuns(runs, choices);
    if (!isVisible()) {
        model_->setRuns({});  // it must not hold runs that are closed
    }
    outdate();
}

void StepsPanel::refresh() {
    model_->setRuns(runs_);
    table_->setColumnHidden(StepsModel::kRun, runs_.size() < 2);
    table_->setColumnHidden(StepsModel::kNotes, !model_->hasNotes());  // its room is for the numbers
    fit_->fit();
    const bool any = model_->rowCount() > 0;
    table_->setVisible(any);
    empty_->setVisible(!any);
    empty_->setText(runs_.empty() ? tr("Open a run to see its steps.")
                                  : tr("Steps appear when all ranks are read and analysed."));
}

void StepsPanel::setTheme(const Theme& theme) {
    model_->setTheme(theme);
    fit_->setTheme(theme);
}

}  // namespace rankscope::ui
