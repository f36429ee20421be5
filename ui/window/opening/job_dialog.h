// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <memory>
#include <vector>

#include "ui/panels/shared/job_choice.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace rankscope {
struct Run;
}  // namespace rankscope

namespace rankscope::ui {

class Session;

/// Asks about a job for what its files do not contain: its model, the work of a step, the devices and links. Checks the
/// fields while the user types; then the run is analysed again, which the dialog waits for before it closes.
class JobDialog : public QDialog {
    Q_OBJECT

  public:
    /// Asks about Session::runs()[run].
    JobDialog(Session& session, std::size_t run, QWidget* parent = nullptr);
    /// Cancels the analysis that it waits for.
    void reject() override;

    /// The values of the fields; without invalid ones.
    [[nodiscard]] JobChoice job() const;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// A field, and how its text changes the job.
    struct Field {
        QLineEdit* edit = nullptr;
        QString name;
        std::function<bool(const QString& typed, JobChoice& job)> read;  ///< false: the text is not a valid number
    };

    void layOut(const JobChoice& job);
    void addModel(QFormLayout& form, const ModelSize& model);
    void addWork(QFormLayout& form, const JobChoice& job);
    void addDevices(QFormLayout& form, const JobChoice& job);
    void addCount(QFormLayout& form, const QString& name, const QString& unit, const QString& example,
                  std::optional<std::int64_t> ModelSize::*count, const ModelSize& model);
    void addNumber(QFormLayout& form, const QString& name, const QString& unit, const QString& example,
                   std::optional<double> JobChoice::*number, const JobChoice& job);
    void addField(QFormLayout& form, Field field, const QString& unit, const QString& example, const QString& value);
    void check();
    void say(const QString& words, bool wrong);
    [[nodiscard]] static QString resultOf(const JobChoice& job);
    void analyse();
    void setWaiting(bool waiting);
    [[nodiscard]] std::size_t indexOfRun() const;

    Session& session_;
    std::shared_ptr<const Run> run_;
    std::vector<Field> fields_;
    bool waiting_ = false;
    QScrollArea* scroll_;
    QLabel* about_;
    QPushButton* clear_;
    QPushButton* cancel_;
    QPushButton* analyse_;
};

}  // namespace rankscope::ui
