// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/efficiency/efficiency_panel.h"

#include <QAction>
#include <QButtonGroup>
#include <QChart>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/charts/picture_file.h"
#include "ui/efficiency/efficiency_page.h"
#include "ui/efficiency/table_picture.h"
#include "ui/panels/cell_delegate.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/linked_label.h"
#include "ui/panels/panel_page.h"
#include "ui/panels/run_choice.h"
#include "ui/panels/sorted_table.h"
#include "ui/panels/turning_splitter.h"
#include "ui/panels/waterfall_delegate.h"
#include "ui/panels/words.h"
#include "ui/panels/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kHalf = 1000;  // of what stands side by side

/// Figures with three digits, as they are read beside the roofline.
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
    : DeferredPanel(parent),
      theme_(theme),
      title_(new ElidedLabel("heading")),
      about_(new LinkedLabel("dim")),
      notes_(new LinkedLabel("dim")),
      run_(new QComboBox),
      rank_(new QComboBox),
      body_(new TurningSplitter(tr("Missing share and roofline"))),
      missing_model_(new MissingModel(theme)),
      missing_(new SortedTable(tr("The way from the peak to what is achieved"), missing_model_)),
      waterfall_(new WaterfallDelegate(this)),
      roofline_(new RooflineChart(theme)),
      rows_(new SortedTable(tr("What is counted, with its FLOPs"), new ProductModel(theme))),
      pages_(new QStackedWidget) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    connect(missing_, &SortedTable::rowActivated, this, &EfficiencyPanel::activateMissing);
    connect(rows_, &SortedTable::rowActivated, this, &EfficiencyPanel::activateRow);
    connect(roofline_, &RunChart::sliceActivated, this, &EfficiencyPanel::sliceActivated);
    connect(notes_, &QLabel::linkActivated, this, [this] {
        if (job_action_ != nullptr) {
            job_action_->trigger();
        }
    });
    setRuns({});
}

void EfficiencyPanel::layOut() {
    about_->setFocusPolicy(Qt::NoFocus);  // it has no links
    missing_->setSortable(false);
    missing_->setNarrow(true);
    rows_->setNarrow(true);
    rows_->view().setItemDelegateForColumn(0, new NameDelegate(rows_));
    pages_->addWidget(roofline_);
    pages_->addWidget(rows_);
    body_->addWidget(missing_);
    body_->addWidget(pages_);
    body_->setStretchFactor(0, 1);
    body_->setStretchFactor(1, 1);
    body_->setSizes({kHalf, kHalf});
    auto* head = new WrappingRow;
    head->setSpacing(12);
    head->addWidget(title_, 1);
    head->addWidget(makeChoices());
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(about_);
    layout->addWidget(notes_);
    layout->addWidget(body_, 1);
}

QWidget* EfficiencyPanel::makeChoices() {
    run_->setAccessibleName(tr("Run"));
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
    auto* choices = new QWidget;
    auto* line = new WrappingRow(choices);
    line->setContentsMargins(0, 0, 0, 0);  // in a further row it begins where the title does
    line->setSpacing(6);
    for (QWidget* each :
         std::initializer_list<QWidget*>{run_, rank_, operators_, kernels_, as_picture_, as_table_, save_}) {
        line->addWidget(each);
    }
    connect(run_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(rank_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(what, &QButtonGroup::idClicked, this, [this] { fillRows(); });
    connect(how, &QButtonGroup::idClicked, this, [this] { fillRows(); });
    return choices;
}

void EfficiencyPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    offerRuns(*run_, runs);
    outdate();
}

void EfficiencyPanel::setTheme(const Theme& theme) {
    theme_ = theme;
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

std::uint32_t EfficiencyPanel::runIndex() const {
    return static_cast<std::uint32_t>(std::max(0, run_->currentIndex()));
}

std::shared_ptr<const AnalysedRun> EfficiencyPanel::run() const {
    return runIndex() < runs_.size() ? runs_[runIndex()] : nullptr;
}

std::optional<RankPosition> EfficiencyPanel::rank() const {
    const int at = rank_->currentIndex();
    return at > 0 ? std::optional(RankPosition(at - 1)) : std::nullopt;
}

Counted EfficiencyPanel::counted() const {
    return operators_->isChecked() ? Counted::Operators : Counted::Kernels;
}

void EfficiencyPanel::showRows(Counted what, bool as_table) {
    (what == Counted::Operators ? operators_ : kernels_)->setChecked(true);
    (as_table ? as_table_ : as_picture_)->setChecked(true);
    fillRows();
}

// ---- what is shown

void EfficiencyPanel::refresh() {
    const auto of = run();
    if (of != offered_) {
        offered_ = of;
        offerRanks(*rank_, of.get());
        rank_->setVisible(of != nullptr && of->run->ranks.size() > 1);
    }
    if (of == nullptr || of->facts.ranks.empty()) {
        job_.forget();
        tellNothing(of == nullptr ? tr("No run is open.") : tr("The run is being analysed."));
        return;
    }
    job_.start([this, of, of_rank = rank()](const std::stop_token& stop) -> LatestJob::Show {
        if (stop.stop_requested()) {
            return {};
        }
        return [this, page = makeEfficiencyPage(of, of_rank)] { take(page); };
    });
}

void EfficiencyPanel::tellNothing(const QString& why) {
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
                                         ? labelLink(QStringLiteral("job"), tr("Describe the job..."), theme_)
                                         : tr("The command line takes it: --peak-tflops, or --params and --tokens."));
    }
    notes_->write(notes);
    notes_->setVisible(!notes.isEmpty());
    notes_->setFocusPolicy(notes.contains(QLatin1String("<a ")) ? Qt::StrongFocus : Qt::NoFocus);
    body_->setVisible(!page->way.empty());
    drawMissing();
    fillRows();
}

void EfficiencyPanel::drawMissing() {
    missing_model_->setTargets(page_->targets);
    missing_->set(page_->missing, {});
    waterfall_->set(missingBars(page_->way, theme_), 0, theme_);
    missing_->drawLast(waterfall_);
}

void EfficiencyPanel::fillRows() {
    if (page_ == nullptr) {
        return;
    }
    roofline_->setCounted(counted());
    roofline_->setRank(page_->rank);
    roofline_->setRun(page_->of, runIndex());
    rows_->set(page_->rows(counted()), tr("No operator tells its FLOPs."));
    pages_->setCurrentWidget(as_table_->isChecked() ? static_cast<QWidget*>(rows_) : roofline_);
}

QString EfficiencyPanel::summary() const {
    QString words = title_->text();
    words += about_->isHidden() ? QString() : QLatin1Char('\n') + about_->words();
    words += notes_->isHidden() ? QString() : QLatin1Char('\n') + notes_->words();
    return words;
}

// ---- where it leads

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
    askAndSavePicture(this, tr("Missing share"), size, theme_.surface,
                      [this](QPainter& painter) { paintTable(painter, missing_->view(), theme_); });
}

void EfficiencyPanel::saveRooflinePicture() {
    roofline_->savePicture();
}

}  // namespace rankscope::ui
