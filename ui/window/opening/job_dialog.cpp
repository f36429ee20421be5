// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/job_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QShowEvent>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>
#include <utility>

#include "core/base/format.h"
#include "core/base/parse_quantity.h"
#include "core/report/tables/data_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

constexpr int kFieldWidth = 150;
constexpr int kUnitWidth = 250;
constexpr QSize kAroundWindow(16, 48);  // what a desktop adds around a window

/// Requests the size of all its fields; Qt's class requests only a part of it.
class FieldsArea : public QScrollArea {
  public:
    [[nodiscard]] QSize sizeHint() const override {
        return widget()->sizeHint() +
               QSize(verticalScrollBar()->sizeHint().width() + 2 * frameWidth(), 2 * frameWidth());
    }
};

/// A number as text that reads back exactly.
QString typedText(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return QString::fromLatin1(digits.data(), static_cast<qsizetype>(end - digits.data()));
}

template <class Number>
QString typedText(const std::optional<Number>& value) {
    if constexpr (std::is_integral_v<Number>) {
        return value ? QString::number(*value) : QString();
    } else {
        return value ? typedText(*value) : QString();
    }
}

QLabel* heading(const QString& words) {
    QLabel* label = plainLabel(words);
    label->setProperty("role", QStringLiteral("heading"));
    return label;
}

}  // namespace

JobDialog::JobDialog(Session& session, std::size_t run, QWidget* parent)
    : QDialog(parent),
      session_(session),
      run_(session.runs()[run]->run),
      scroll_(new FieldsArea),
      about_(plainLabel()),
      clear_(new QPushButton(tr("Clear All"))),
      cancel_(new QPushButton(tr("Cancel"))),
      analyse_(new QPushButton(tr("Analyse"))) {
    setWindowTitle(tr("The job of %1").arg(text(run_->name)));
    layOut(session.choices()[run].job);
    connect(clear_, &QPushButton::clicked, this, [this] {
        std::ranges::for_each(fields_, [](const Field& field) { field.edit->clear(); });
        fields_.front().edit->setFocus();
    });
    connect(&session_.reanalysis(), &Reanalysis::progressed, this, [this](const Progress& progress) {
        if (waiting_) {
            say(tr("Analysing again: %1").arg(coreText(progress.stage)), false);
        }
    });
    connect(&session_.reanalysis(), &Reanalysis::finished, this,
            [this](const std::shared_ptr<const Run>& of, const AnalysisChoice&,
                   const std::shared_ptr<const AnalysedRun>& result) {
                if (!waiting_ || of != run_) {
                    return;
                }
                setWaiting(false);
                if (result != nullptr) {
                    accept();
                } else {
                    say(tr("The run could not be analysed with this."), true);
                }
            });
    check();
}

// ---- the fields

void JobDialog::layOut(const JobChoice& job) {
    auto* intro = plainLabel(tr("What the files do not say. Every field is optional. Numbers: 7B, 4.5e9, 4096."));
    intro->setProperty("role", QStringLiteral("dim"));
    intro->setWordWrap(true);
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(6);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    addModel(*form, job.model);
    addWork(*form, job);
    addDevices(*form, job);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setProperty("role", QStringLiteral("page"));
    scroll_->setFocusPolicy(Qt::NoFocus);  // each field scrolls itself into view
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidgetResizable(true);
    scroll_->setWidget(page);
    page->setAutoFillBackground(false);
    scroll_->viewport()->setAutoFillBackground(false);
    about_->setWordWrap(true);
    about_->setMinimumHeight(2 * about_->fontMetrics().lineSpacing());
    about_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    clear_->setProperty("role", QStringLiteral("quiet"));
    analyse_->setProperty("role", QStringLiteral("primary"));
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(clear_, QDialogButtonBox::ResetRole);
    buttons->addButton(cancel_, QDialogButtonBox::RejectRole);
    buttons->addButton(analyse_, QDialogButtonBox::ActionRole);
    connect(analyse_, &QPushButton::clicked, this, &JobDialog::analyse);
    connect(cancel_, &QPushButton::clicked, this, &JobDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(10);
    layout->addWidget(intro);
    layout->addWidget(scroll_, 1);
    layout->addWidget(about_);
    layout->addWidget(buttons);
    // Enter starts the analysis. A dialog only accepts a button that it already contains, and otherwise takes the
    // first.
    clear_->setAutoDefault(false);
    cancel_->setAutoDefault(false);
    analyse_->setDefault(true);
}

void JobDialog::showEvent(QShowEvent* event) {
    if (!event->spontaneous()) {
        // Only now all text has its final size: the dialog is as high as its fields, and they scroll if the screen is
        // lower.
        scroll_->setMinimumWidth(scroll_->sizeHint().width());
        scroll_->updateGeometry();
        resize(sizeHint().boundedTo(screen()->availableSize() - kAroundWindow));
    }
    QDialog::showEvent(event);
}

void JobDialog::addModel(QFormLayout& form, const ModelSize& model) {
    form.addRow(heading(tr("The model")));
    addCount(form, tr("Parameters"), tr("of the whole model"), QStringLiteral("7B"), &ModelSize::parameters, model);
    addCount(form, tr("Layers"), tr("of the whole model"), QStringLiteral("32"), &ModelSize::layers, model);
    addCount(form, tr("Hidden"), tr("width of a layer"), QStringLiteral("4096"), &ModelSize::hidden, model);
    addCount(form, tr("Heads"), tr("of attention"), QStringLiteral("32"), &ModelSize::heads, model);
    addCount(form, tr("Sequence"), tr("tokens"), QStringLiteral("2048"), &ModelSize::sequence, model);
    addCount(form, tr("Micro-batch"), tr("sequences, on one GPU"), QStringLiteral("4"), &ModelSize::micro_batch, model);
}

void JobDialog::addWork(QFormLayout& form, const JobChoice& job) {
    form.addRow(heading(tr("Work of a step")));
    addNumber(form, tr("Batch"), tr("samples of a step, over all ranks"), QStringLiteral("1024"), &JobChoice::batch,
              job);
    addNumber(form, tr("Tokens"), tr("of a sample; needs the parameters"), QStringLiteral("2048"), &JobChoice::tokens,
              job);
    addNumber(form, tr("Model FLOPs"), tr("of a sample, with its backward"), QStringLiteral("2.1e15"),
              &JobChoice::model_flops, job);
}

void JobDialog::addDevices(QFormLayout& form, const JobChoice& job) {
    form.addRow(heading(tr("GPUs and links")));
    addNumber(form, tr("Peak of a GPU"), tr("TFLOP/s (1e12 a second)"), QStringLiteral("312"), &JobChoice::peak_tflops,
              job);
    addNumber(form, tr("Link inside a host"), tr("GB/s in one direction"), QStringLiteral("450"),
              &JobChoice::inside_gb_per_s, job);
    addNumber(form, tr("Link across hosts"), tr("GB/s in one direction"), QStringLiteral("50"),
              &JobChoice::across_gb_per_s, job);
}

void JobDialog::addCount(QFormLayout& form, const QString& name, const QString& unit, const QString& example,
                         std::optional<std::int64_t> ModelSize::*count, const ModelSize& model) {
    const auto read = [count](const QString& typed, JobChoice& job) {
        job.model.*count = parseCount(typed.toStdString());
        return (job.model.*count).has_value();
    };
    addField(form, {nullptr, name, read}, unit, example, typedText(model.*count));
}

void JobDialog::addNumber(QFormLayout& form, const QString& name, const QString& unit, const QString& example,
                          std::optional<double> JobChoice::*number, const JobChoice& job) {
    const auto read = [number](const QString& typed, JobChoice& into) {
        into.*number = parseNumber(typed.toStdString());
        return (into.*number).has_value();
    };
    addField(form, {nullptr, name, read}, unit, example, typedText(job.*number));
}

void JobDialog::addField(QFormLayout& form, Field field, const QString& unit, const QString& example,
                         const QString& value) {
    field.edit = new QLineEdit(value);
    field.edit->setFixedWidth(kFieldWidth);
    field.edit->setPlaceholderText(example);
    field.edit->setAccessibleName(field.name);
    field.edit->setAccessibleDescription(unit);
    connect(field.edit, &QLineEdit::textChanged, this, &JobDialog::check);
    auto* label = plainLabel(field.name);
    label->setBuddy(field.edit);
    auto* about = plainLabel(unit);
    about->setProperty("role", QStringLiteral("dim"));
    about->setMinimumWidth(kUnitWidth);
    auto* line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(field.edit);
    line->addWidget(about, 1);
    form.addRow(label, line);
    fields_.push_back(std::move(field));
}

// ---- texts

JobChoice JobDialog::job() const {
    JobChoice job;
    for (const Field& field : fields_) {
        if (const QString typed = field.edit->text().trimmed(); !typed.isEmpty()) {
            (void)field.read(typed, job);
        }
    }
    return job;
}

void JobDialog::check() {
    JobChoice said;
    for (const Field& field : fields_) {
        const QString typed = field.edit->text().trimmed();
        if (!typed.isEmpty() && !field.read(typed, said)) {
            analyse_->setEnabled(false);
            say(tr("%1: “%2” is not a number above 0. Write 4096, 4.5e9 or 7B.").arg(field.name, cellWords(typed)),
                true);
            return;
        }
    }
    const std::optional<JobConflict> conflict = conflictOf(said);
    analyse_->setEnabled(!conflict && !waiting_);
    if (conflict == JobConflict::TokensWithoutParameters) {
        say(tr("Enter tokens and parameters together: FLOPs follow from both."), true);
    } else if (conflict == JobConflict::FlopsAndTokens) {
        say(tr("Enter either the model's FLOPs or the tokens, not both."), true);
    } else {
        say(resultOf(said), false);
    }
}

QString JobDialog::resultOf(const JobChoice& job) {
    const std::optional<double> flops = job.efficiency().stepFlops(job.model);
    if (!flops) {
        return tr("The FLOPs of a step are counted from recorded shapes only.");
    }
    const QString step =
        tr("A step of all ranks has %1.").arg(text(report::cellText(report::Cell(*flops), report::Unit::Flops)));
    return job.batch ? step : tr("%1 This is 1 sample: enter the batch.", "a sentence").arg(step);
}

void JobDialog::say(const QString& words, bool wrong) {
    about_->setProperty("role", wrong ? QStringLiteral("error") : QStringLiteral("dim"));
    about_->style()->polish(about_);
    about_->setText(words);
}

// ---- the analysis

std::size_t JobDialog::indexOfRun() const {
    const auto at = std::ranges::find_if(session_.runs(), [this](const auto& open) { return open->run == run_; });
    return static_cast<std::size_t>(at - session_.runs().begin());
}

void JobDialog::analyse() {
    const std::size_t run = indexOfRun();
    if (run >= session_.runs().size() || session_.choices()[run].job == job()) {
        accept();
        return;
    }
    setWaiting(true);
    say(tr("Analysing again..."), false);
    session_.setJob(run, job());
}

void JobDialog::setWaiting(bool waiting) {
    waiting_ = waiting;
    analyse_->setEnabled(!waiting);
    clear_->setEnabled(!waiting);
    for (const Field& field : fields_) {
        field.edit->setEnabled(!waiting);
    }
}

void JobDialog::reject() {
    if (waiting_) {
        waiting_ = false;
        session_.reanalysis().cancel();
    }
    QDialog::reject();
}

}  // namespace rankscope::ui
