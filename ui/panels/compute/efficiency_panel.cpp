// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/efficiency_panel.h"

#include <QAction>
#include <QButtonGroup>
#include <QChart>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>

#include "ui/charts/picture_file.h"
#include "ui/charts/table_picture.h"
#include "ui/panels/compute/efficiency_page.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/linked_label.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/turning_splitter.h"
#include "ui/widgets/waterfall_delegate.h"

namespace rankscope::ui {
namespace {

/// Numbers with three digits, for use with the roofline.
class ProductModel : public DataTableModel {
  public:
    using DataTableModel::DataTableModel;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::DisplayRole && index.isValid() &&
            table()->columns[static_cast<std::size_t>(index.column())].unit == report::Unit::Decimal) {
            if (const auto* value = std::get_if<double>(&cell(index.row(), index.column()))) {
                return teraflops(*value);
            }
        }
        return DataTableModel::data(index, role);
    }
};

QPushButton* choice(const QString& words, QButtonGroup& group) {
    auto* made = new QPushButton(words);
    made->setCheckable(true);
    made->setProperty("role", QStringLiteral("choice"));
    group.addButton(made);
    return made;
}

}  // namespace

EfficiencyPanel::EfficiencyPanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      title_(new ElidedLabel("heading")),
      about_(new LinkedLabel("dim")),
      notes_(new LinkedLabel("dim")),
      rank_(new QComboBox),
      body_(new TurningSplitter(tr("Missing share and roofline"))),
      missing_model_(new MissingModel(theme)),
      missing_(new SortedTable(tr("From the peak to what is achieved"), missing_model_)),
      waterfall_(new WaterfallDelegate(this)),
      roofline_(new RooflineChart(theme)),
      rows_(new SortedTable(tr("Operators and kernels with FLOPs"), new ProductModel(theme))),
      pages_(new QStackedWidget) {
    layOut();
    connect(missing_, &SortedTable::rowActivated, this, &EfficiencyPanel::activateMissing);
    connect(rows_, &SortedTable::rowActivated, this, &EfficiencyPanel::activateRow);
    connect(roofline_, &RunChart::sliceActivated, this, &EfficiencyPanel::sliceActivated);
    connect(notes_, &QLabel::linkActivated, this, [this] {
        if (job_action_ != nullptr) {
            job_action_->trigger();
        }
    });
}

void EfficiencyPanel::layOut() {
    about_->setFocusPolicy(Qt::NoFocus);  // it has no links
    missing_->setSortable(false);
    missing_->setNarrow(true);
    rows_->setNarrow(true);
    rows_->view().setItemDelegateForColumn(0, new NameDelegate(rows_));
    pages_->addWidget(roofline_);
    pages_->addWidget(rows_);
    body_->addEqual({missing_, pages_});
    makeChoices();
    setPage(makePanelHead(*title_, {&runBox(), rank_, operators_, kernels_, as_picture_, as_table_, save_}),
            {about_, notes_, body_});
}

void EfficiencyPanel::makeChoices() {
    rank_->setAccessibleName(tr("Rank"));
    auto* what = new QButtonGroup(this);
    operators_ = choice(tr("Operators"), *what);
    kernels_ = choice(tr("Kernels"), *what);
    auto* how = new QButtonGroup(this);
    as_picture_ = choice(tr("Roofline"), *how);
    as_table_ = choice(tr("Table"), *how);
    operators_->setChecked(true);
    as_picture_->setChecked(true);
    save_ = new QPushButton(tr("Save picture..."));
    save_->setProperty("role", QStringLiteral("quiet"));
    auto* menu = new QMenu(save_);
    connect(menu->addAction(tr("The &Missing Share")), &QAction::triggered, this, &EfficiencyPanel::saveMissingPicture);
    connect(menu->addAction(tr("The &Roofline")), &QAction::triggered, this, &EfficiencyPanel::saveRooflinePicture);
    save_->setMenu(menu);
    connect(rank_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(what, &QButtonGroup::idClicked, this, [this] { fillRows(); });
    connect(how, &QButtonGroup::idClicked, this, [this] { fillRows(); });
}

void EfficiencyPanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    missing_->setTheme(theme);
    rows_->setTheme(theme);
    roofline_->setTheme(theme);
    if (page_ != nullptr) {
        take(page_);
    }
}

void EfficiencyPanel::setJobAction(QAction* job) {
    job_action_ = job;
    outdate();
}

Counted EfficiencyPanel::counted() const {
    return operators_->isChecked() ? Counted::Operators : Counted::Kernels;
}

void EfficiencyPanel::showRows(Counted what, bool as_table) {
    (what == Counted::Operators ? operators_ : kernels_)->setChecked(true);
    (as_table ? as_table_ : as_picture_)->setChecked(true);
    fillRows();
}

// ---- contents

void EfficiencyPanel::offerChoices(const AnalysedRun* of) {
    offerRanks(*rank_, of);
    rank_->setVisible(of != nullptr && of->run->ranks.size() > 1);
}

void EfficiencyPanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    work([of, rank = chosenRank(*rank_)] { return makeEfficiencyPage(of, rank); },
         [this](const auto& page) { take(page); });
}

void EfficiencyPanel::showNothing(const QString& why) {
    page_ = nullptr;
    title_->setText(why);
    about_->hide();
    notes_->hide();
    body_->hide();
}

void EfficiencyPanel::take(const std::shared_ptr<const EfficiencyPage>& page) {
    page_ = page;
    title_->setText(page->head.title);
    about_->write(page->head.about.toHtmlEscaped());
    about_->setVisible(!page->head.about.isEmpty());
    QString notes = page->head.notes.toHtmlEscaped();
    if (page->head.can_be_entered) {
        notes += QLatin1Char(' ') + (job_action_ != nullptr
                                         ? labelLink(QStringLiteral("job"), tr("Describe the job..."), theme())
                                         : tr("On the command line: --peak-tflops, or --params and --tokens."));
    }
    notes_->write(notes);
    notes_->setVisible(!notes.isEmpty());
    notes_->setFocusPolicy(notes.contains(QLatin1String("<a ")) ? Qt::StrongFocus : Qt::NoFocus);
    body_->setVisible(!page->way.empty());
    save_->setVisible(!page->way.empty());
    const bool counted = !page->rows(Counted::Operators)->rows.empty() || !page->rows(Counted::Kernels)->rows.empty();
    for (QWidget* of_products : std::initializer_list<QWidget*>{pages_, operators_, kernels_, as_picture_, as_table_}) {
        of_products->setVisible(counted);
    }
    drawMissing();
    fillRows();
}

void EfficiencyPanel::drawMissing() {
    missing_model_->setTargets(page_->targets);
    missing_->set(page_->missing, {});
    waterfall_->set(missingBars(page_->way, theme()), 0, theme());
    missing_->drawLast(waterfall_);
}

void EfficiencyPanel::fillRows() {
    if (page_ == nullptr) {
        return;
    }
    roofline_->setCounted(counted());
    roofline_->setRank(page_->rank);
    roofline_->setRun(page_->of, runIndex());
    rows_->set(page_->rows(counted()), tr("No operator has known FLOPs."));
    pages_->setCurrentWidget(as_table_->isChecked() ? static_cast<QWidget*>(rows_) : roofline_);
}

QString EfficiencyPanel::summary() const {
    QString words = title_->text();
    words += about_->isHidden() ? QString() : QLatin1Char('\n') + about_->words();
    words += notes_->isHidden() ? QString() : QLatin1Char('\n') + notes_->words();
    return words;
}

// ---- links

void EfficiencyPanel::activateMissing(std::uint32_t row) {
    if (page_ == nullptr || row >= page_->way.size() || !page_->way[row].part) {
        return;
    }
    const report::MissingPart& part = *page_->way[row].part;
    if (part.finding) {
        Q_EMIT findingActivated({runIndex(), static_cast<std::uint32_t>(*part.finding)});
    } else {
        activate(part.longest);
    }
}

void EfficiencyPanel::activateRow(std::uint32_t row) {
    if (page_ != nullptr) {
        activate(page_->placeOf(counted(), row));
    }
}

void EfficiencyPanel::activate(const EfficiencyPlace& place) {
    if (place.slice.valid()) {
        Q_EMIT sliceActivated({runIndex(), place.rank, place.slice});
    }
}

void EfficiencyPanel::saveMissingPicture() {
    const QSize size = pictureSize(missing_->view());
    askAndSavePicture(this, tr("Missing share"), size, theme().surface,
                      [this](QPainter& painter) { paintTable(painter, missing_->view(), theme()); });
}

void EfficiencyPanel::saveRooflinePicture() {
    roofline_->savePicture();
}

}  // namespace rankscope::ui
