// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/pair_args.h"

#include <QObject>
#include <algorithm>
#include <array>

#include "core/ingest/kineto/event_args.h"
#include "ui/panels/selection/slice_reader.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr qsizetype kLongestValue = 80;
constexpr std::size_t kShown = 24;

/// Which event it is, where and when it ran: said by the tracks and links, and new in each run. These are the keys
/// that Kineto writes, for CUDA and for ROCm.
constexpr auto kIdentity = std::to_array<std::string_view>({
    "External id",
    "external id",
    "correlation",
    "Ev Idx",
    "Profiler Event Index",
    "Record function id",
    "Sequence number",
    "Fwd thread id",
    "Python id",
    "Python parent id",
    "Python module id",
    "Trace iteration",
    "stream",
    "device",
    "Device",
    "Device Id",
    "context",
    "Addr",
    "queued",
    "finished",
    "external ts",
    "wait_on_stream",
    "wait_on_cuda_event_id",
    "wait_on_cuda_event_record_corr_id",
});

bool saysWhich(const std::string& key) {
    return std::ranges::find(kIdentity, key) != kIdentity.end();
}

const RawMember* find(const std::vector<RawMember>& members, const std::string& key) {
    const auto at = std::ranges::find(members, key, &RawMember::key);
    return at == members.end() ? nullptr : &*at;
}

QString shown(const std::string& value) {
    if (value.empty()) {
        return QStringLiteral("–");
    }
    const QString words = text(value);
    return (words.size() > kLongestValue ? words.left(kLongestValue - 1) + QStringLiteral("…") : words).toHtmlEscaped();
}

QString unread(const char* which, const Result<std::string>& event) {
    return QStringLiteral("<p>%1</p>")
        .arg(QObject::tr("The arguments of %1 cannot be read. %2")
                 .arg(QLatin1String(which), event.failed() ? whyUnread(event.error()).toHtmlEscaped() : QString()));
}

}  // namespace

std::vector<ArgDifference> differingArgs(std::string_view event_a, std::string_view event_b) {
    const std::vector<RawMember> a = rawArgs(event_a);
    const std::vector<RawMember> b = rawArgs(event_b);
    std::vector<ArgDifference> differing;
    for (const RawMember& member : a) {
        const RawMember* other = find(b, member.key);
        if (!saysWhich(member.key) && (other == nullptr || other->value != member.value)) {
            differing.push_back({member.key, member.value, other == nullptr ? std::string() : other->value});
        }
    }
    for (const RawMember& member : b) {
        if (!saysWhich(member.key) && find(a, member.key) == nullptr) {
            differing.push_back({member.key, {}, member.value});
        }
    }
    return differing;
}

QString pairArgsHtml(const PairEvents& events, const Theme& theme) {
    const auto& [a, b] = events;
    if (!a.ok() || !b.ok()) {
        return (a.ok() ? QString() : unread("A", a)) + (b.ok() ? QString() : unread("B", b));
    }
    const std::vector<ArgDifference> differing = differingArgs(a.value(), b.value());
    if (differing.empty()) {
        return QStringLiteral("<p>%1</p>").arg(dim(QObject::tr("Same arguments."), theme));
    }
    QString rows;
    for (std::size_t i = 0; i < std::min(differing.size(), kShown); ++i) {
        const ArgDifference& one = differing[i];
        rows += QStringLiteral("<tr><td width=\"34%\">%1</td><td width=\"33%\">%2</td><td width=\"33%\">%3</td></tr>")
                    .arg(dim(text(one.key).toHtmlEscaped(), theme), shown(one.a), shown(one.b));
    }
    const QString more =
        differing.size() > kShown
            ? QStringLiteral("<p>%1</p>").arg(dim(QObject::tr("and %1 more").arg(differing.size() - kShown), theme))
            : QString();
    return QStringLiteral(
               "<h4>%1</h4><table cellspacing=\"0\" "
               "width=\"100%\"><tr><td></td><td>%2</td><td>%3</td></tr>%4</table>%5")
        .arg(QObject::tr("Different arguments"), dim(QObject::tr("A"), theme), dim(QObject::tr("B"), theme), rows,
             more);
}

}  // namespace rankscope::ui
