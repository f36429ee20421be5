// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace rankscope::ui {

/// The questions that were asked, the latest first, each once.
class QuestionHistory {
  public:
    static constexpr qsizetype kMost = 50;

    /// Replaces all; a walk ends, unless they are the same.
    void set(const QStringList& questions);
    /// Puts a question in front, and walks from there.
    void add(const QString& question);
    [[nodiscard]] const QStringList& all() const { return questions_; }
    /// Walks to an older question (+1) or a newer one (-1), and returns it. The walk begins at `current`, the text in
    /// the field, which comes back after the newest one; empty if there is none in this direction.
    [[nodiscard]] QString step(int older, const QString& current);

  private:
    QStringList questions_;
    qsizetype at_ = -1;  // of the walk; -1: at the text in the field
    QString unasked_;    // that text
};

}  // namespace rankscope::ui
