// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/loading_strip.h"

#include <QHeaderView>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>

#include "core/base/format.h"
#include "core/remote/remote_path.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/passing_notice.h"
#include "ui/window/opening/recent_paths.h"

namespace rankscope::ui {
namespace {

// Pixels, beside text of the usual size.
constexpr int kRowHeight = 24;
constexpr int kNameWidth = 360;
constexpr int kRateWidth = 90;

constexpr int kProgressWidth = 180;  // it has no text
constexpr int kNameShare = 45;       // percent of the width at most: the reasons are next to the names
constexpr int kRowsAtOnce = 5;
constexpr int kCellMargin = 9;     // around the text of a cell: the style sheet's 8 and the style's own
constexpr int kMostWrapped = 200;  // rows that are measured

/// Draws progress as a thin bar, and what failed in red.
class LoadingDelegate : public QStyledItemDelegate {
  public:
    LoadingDelegate(const Theme* theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto state = static_cast<FileState>(index.data(LoadingModel::kStateRole).toInt());
        if (index.column() != LoadingModel::kProgress) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        if (state == FileState::Failed) {
            return;
        }
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        QRectF bar = QRectF(option.rect).adjusted(8, 0, -8, 0);
        bar = QRectF(bar.left(), bar.center().y() - 2.0, bar.width(), 4.0);
        painter->setBrush(theme_->raised);
        painter->drawRoundedRect(bar, 2, 2);
        bar.setWidth(bar.width() * std::clamp(index.data(LoadingModel::kShareRole).toDouble(), 0.0, 1.0));
        painter->setBrush(state == FileState::Loaded ? theme_->overlap : theme_->accent);
        painter->drawRoundedRect(bar, 2, 2);
        painter->restore();
    }

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto state = static_cast<FileState>(index.data(LoadingModel::kStateRole).toInt());
        const bool quiet = index.column() != LoadingModel::kName;
        const QColor colour = state == FileState::Failed ? theme_->error : (quiet ? theme_->text_dim : theme_->text);
        option->palette.setColor(QPalette::Text, colour);
    }

  private:
    const Theme* theme_;
};

}  // namespace

LoadingStrip::LoadingStrip(RunLoader& loader, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      model_(new LoadingModel(this)),
      theme_(theme),
      head_(plainLabel()),
      about_(plainLabel()),
      whole_(new QProgressBar),
      button_(new QPushButton),
      rows_(new QTableView) {
    setProperty("role", QStringLiteral("strip"));
    setObjectName(QLatin1String(NoticeBoard::kObjectName));
    setAttribute(Qt::WA_StyledBackground);
    head_->setProperty("role", QStringLiteral("heading"));
    about_->setProperty("role", QStringLiteral("dim"));
    whole_->setTextVisible(false);
    whole_->setRange(0, 1000);
    rows_->setModel(model_);
    rows_->setItemDelegate(new LoadingDelegate(&theme_, rows_));
    rows_->setSelectionMode(QAbstractItemView::NoSelection);
    rows_->setFocusPolicy(Qt::NoFocus);
    rows_->setShowGrid(false);
    rows_->horizontalHeader()->hide();
    rows_->horizontalHeader()->setStretchLastSection(true);
    rows_->verticalHeader()->hide();
    fitColumns();

    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(head_);
    line->addWidget(about_);
    line->addStretch();
    line->addWidget(button_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(line);
    layout->addWidget(whole_);
    layout->addWidget(rows_);

    connect(button_, &QPushButton::clicked, this, [this, &loader] {
        if (running_) {
            loader.cancel();
            showStage(tr("stopping..."));
            button_->setText(tr("Stop at once"));
        } else {
            hide();
        }
    });
    connectLoader(loader);
    hide();
}

void LoadingStrip::connectLoader(RunLoader& loader) {
    connect(&loader, &RunLoader::discovered, this, [this](const Discovery& found) {
        model_->start(found, goes_on_);
        for (const Error& error : found.refused) {
            std::error_code ignored;
            unreached_ += isRemotePath(error.path) ? 1 : 0;
            folders_ += std::filesystem::is_directory(error.path, ignored) ? 1 : 0;
        }
        fitRows();
        countRows();
    });
    connect(&loader, &RunLoader::fileProgressed, this, [this](const LoadingFile& file, const FileProgress& progress) {
        model_->setProgress(file, progress);
        countRows();
    });
    connect(&loader, &RunLoader::fileLoaded, this, [this](const LoadingFile& file) {
        model_->setLoaded(file);
        countRows();
    });
    connect(&loader, &RunLoader::fileFailed, this, [this](const LoadingFile& file, const Error& error) {
        model_->setFailed(file, error);
        countRows();
    });
    connect(&loader, &RunLoader::rankFailed, this, [this](const LoadingFile& file, const Error& error) {
        ++failed_ranks_;
        model_->addFailedRank(file, error);
        fitRows();
    });
    connect(&loader, &RunLoader::fetching, this, &LoadingStrip::showStage);
    connect(&loader, &RunLoader::runFailed, this, [this](std::size_t run, const Error& error) {
        (void)run;
        // A run fails because its files did; they give the reasons themselves.
        if (model_->count(FileState::Failed) == failed_before_) {
            model_->addFailure(error);
        }
    });
    connect(&loader, &RunLoader::analysisProgressed, this, [this](std::size_t run, const Progress& progress) {
        (void)run;
        showStage(coreText(progress.stage));
    });
    connect(&loader, &RunLoader::runKnown, this, [this](std::size_t, const std::shared_ptr<const AnalysedRun>& known) {
        analysed_ = !known->facts.ranks.empty();
    });
    connect(&loader, &RunLoader::finished, this, [this, &loader](bool cancelled) {
        if (!loader.busy()) {  // otherwise another load that waited for this one has started
            end(cancelled);
        }
    });
}

void LoadingStrip::setTheme(const Theme& theme) {
    theme_ = theme;
    fitRows();  // its text may have another size
    rows_->viewport()->update();
}

void LoadingStrip::begin(const QStringList& paths, bool goes_on) {
    running_ = true;
    goes_on_ = goes_on;
    analysed_ = false;
    endPassing();
    if (goes_on) {
        opened_.append(paths);
        loaded_before_ += model_->count(FileState::Loaded);
        model_->keepFailures();
    } else {
        opened_ = {paths};
        failed_ranks_ = unreached_ = folders_ = loaded_before_ = 0;
        model_->clear();
    }
    const QStringList titles = RecentPaths::titles(opened_);
    title_ = titles.front();
    for (const QString& next : titles.mid(1)) {
        title_ = tr("%1 + %2", "what is opened, and what is opened after it").arg(title_, next);
    }
    failed_before_ = model_->count(FileState::Failed);
    for (const int column : {LoadingModel::kProgress, LoadingModel::kRate}) {
        rows_->showColumn(column);
    }
    head_->setText(tr("Opening %1").arg(title_));
    about_->clear();
    whole_->setValue(0);
    whole_->show();
    button_->setText(tr("Cancel"));
    fitRows();
    show();
}

void LoadingStrip::dismiss() {
    if (!running_) {
        endPassing();
        hide();
    }
}

void LoadingStrip::showFailure(const Error& error) {
    model_->addFailure(error);
    if (!running_) {
        head_->setText(tr("Something went wrong"));
        about_->clear();
        whole_->hide();
        button_->setText(tr("Dismiss"));
        for (const int column : {LoadingModel::kProgress, LoadingModel::kRate}) {
            rows_->hideColumn(column);
        }
    }
    fitRows();
    show();
}

void LoadingStrip::showNotice(const QString& title, const QString& about) {
    if (running_) {
        return;
    }
    endPassing();
    model_->clear();
    head_->setText(title);
    about_->setText(about);
    whole_->hide();
    button_->setText(tr("Dismiss"));
    fitRows();
    show();
}

void LoadingStrip::showPassing(const QString& words) {
    if (passing_ == nullptr) {
        passing_ = new PassingNotice(*parentWidget());
    }
    passing_->say(words);
}

void LoadingStrip::endPassing() {
    if (passing_ != nullptr) {
        passing_->hide();
    }
}

void LoadingStrip::showStage(const QString& stage) {
    about_->setText(stage);
}

void LoadingStrip::countRows() {
    const int loaded = loaded_before_ + model_->count(FileState::Loaded);
    const int files = loaded_before_ + model_->rowCount() - otherRows();
    QString about = plural(tr("%1 of %n file(s)", nullptr, files), static_cast<std::uint64_t>(files)).arg(loaded);
    if (const double rate = model_->rate(); rate > 0.0) {
        about += QStringLiteral("  ·  ") + text(formatBandwidth(rate));
    }
    showStage(about);
    whole_->setValue(static_cast<int>(model_->share() * 1000.0));
}

void LoadingStrip::end(bool cancelled) {
    if (title_.isEmpty()) {
        return;  // it continued before this window existed
    }
    running_ = false;
    whole_->hide();
    const int failed = model_->count(FileState::Failed) - otherRows();
    const int all = loaded_before_ + model_->rowCount() - otherRows();
    tellEnd(cancelled, failed, all);
    model_->keepFailures();
    for (const int column : {LoadingModel::kProgress, LoadingModel::kRate}) {
        rows_->hideColumn(column);  // the reasons get the space
    }
    fitRows();
    button_->setText(tr("Dismiss"));
    setVisible(cancelled || failed > 0 || otherRows() > 0 || all == 0);
}

void LoadingStrip::tellEnd(bool cancelled, int failed, int all) {
    const int loaded = loaded_before_ + model_->count(FileState::Loaded);
    const auto files = [](int number) { return count(static_cast<std::uint64_t>(number)); };
    if (cancelled) {
        head_->setText(tr("Stopped opening %1").arg(title_));
        const QString read =
            all == 0 ? tr("Nothing was read yet.") : tr("%1 of %2 files were read.").arg(files(loaded), files(all));
        if (loaded == 0) {
            showStage(read);
        } else {
            showStage(read + QLatin1Char(' ') +
                      (analysed_ ? tr("The diagnosis uses these alone.")
                                 : tr("Their analysis was stopped too: there is no diagnosis.")));
        }
    } else if (failed > 0) {
        head_->setText(plural(tr("%n file(s) could not be read", nullptr, failed), static_cast<std::uint64_t>(failed)));
        showStage(tr("%1: %2 of %3 files are open.").arg(title_, files(loaded), files(all)));
    } else if (unreached_ > 0) {
        head_->setText(loaded == 0 ? tr("%1 could not be opened").arg(title_)
                                   : tr("Not all of %1 could be opened").arg(title_));
        showStage({});
    } else if (failed_ranks_ > 0) {
        head_->setText(plural(tr("%n rank(s) could not be read", nullptr, failed_ranks_),
                              static_cast<std::uint64_t>(failed_ranks_)));
        showStage(tr("The rest of %1 is open.").arg(title_));
    } else if (folders_ > 0) {  // the rows name them
        head_->setText(loaded == 0 ? tr("Nothing to open in %1").arg(title_)
                                   : plural(tr("%n folder(s) without traces", nullptr, folders_),
                                            static_cast<std::uint64_t>(folders_)));
        showStage({});
    } else if (all == 0) {
        head_->setText(tr("Nothing to open in %1").arg(title_));
        showStage(tr("There is no trace file in it."));
    }
}

void LoadingStrip::fitColumns() {
    const int row = scaled(kRowHeight, theme_);
    QHeaderView& rows = *rows_->verticalHeader();
    if (rows.minimumSectionSize() != row || rows.defaultSectionSize() != row) {
        rows.setMinimumSectionSize(row);
        rows.setDefaultSectionSize(row);
    }
    const int most = rows_->viewport()->width() * kNameShare / 100;
    rows_->setColumnWidth(LoadingModel::kName, std::min(scaled(kNameWidth, theme_), std::max(kNameWidth, most)));
    rows_->setColumnWidth(LoadingModel::kProgress, kProgressWidth);
    rows_->setColumnWidth(LoadingModel::kRate, scaled(kRateWidth, theme_));
}

void LoadingStrip::fitRows() {
    fitColumns();
    rows_->setVisible(model_->rowCount() > 0);
    const int row_height = scaled(kRowHeight, theme_);
    int wide = rows_->viewport()->width() - 2 * kCellMargin;  // width of the last column, which fills the rest
    for (int column = 0; column < LoadingModel::kState; ++column) {
        wide -= rows_->columnWidth(column);  // none where it is hidden
    }
    const int between = row_height - rows_->fontMetrics().height();
    int height = 0;
    for (int row = 0; row < std::min(model_->rowCount(), kMostWrapped); ++row) {
        const QModelIndex index = model_->index(row, LoadingModel::kState);
        int wanted = row_height;
        const bool failed = index.data(LoadingModel::kStateRole).toInt() == static_cast<int>(FileState::Failed);
        if (failed && wide > 0 && !running_) {  // thousands may fail while loading continues
            const QRect words = rows_->fontMetrics().boundingRect(QRect(0, 0, wide, QWIDGETSIZE_MAX), Qt::TextWordWrap,
                                                                  index.data().toString());
            wanted = std::max(wanted, words.height() + between);
        }
        rows_->setRowHeight(row, wanted);
        height += row < kRowsAtOnce ? wanted : 0;
    }
    rows_->setFixedHeight(height + 2 * rows_->frameWidth());
}

void LoadingStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitRows();
}

}  // namespace rankscope::ui
