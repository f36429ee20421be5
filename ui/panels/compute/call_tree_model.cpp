// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/call_tree_model.h"

#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/compute/call_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

int alignmentOf(int column) {
    const int across = column == CallTreeModel::Name ? Qt::AlignLeft : Qt::AlignRight;
    return across | Qt::AlignVCenter;
}

}  // namespace

void CallTreeModel::setCalls(std::shared_ptr<const ShownCalls> calls) {
    beginResetModel();
    calls_ = std::move(calls);
    endResetModel();
}

std::uint32_t CallTreeModel::nodeOf(const QModelIndex& index) {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
}

QModelIndex CallTreeModel::indexOf(std::uint32_t node) const {
    if (!calls_ || node == 0 || calls_->tree.nodes[node].value(calls_->measure) <= 0) {
        return {};
    }
    const CallNode& caller = calls_->tree.nodes[calls_->tree.nodes[node].parent];
    return createIndex(static_cast<int>(node - caller.first_child), 0, quintptr{node});
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!calls_ || row < 0 || row >= rowCount(parent)) {
        return {};
    }
    const CallNode& caller = calls_->tree.nodes[nodeOf(parent)];
    return createIndex(row, column, quintptr{caller.first_child} + static_cast<quintptr>(row));
}

QModelIndex CallTreeModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(calls_->tree.nodes[nodeOf(child)].parent) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex& parent) const {
    if (!calls_ || parent.column() > 0) {
        return 0;
    }
    const auto children = calls_->tree.childrenOf(calls_->tree.nodes[nodeOf(parent)]);
    // The longest calls come first, those without time last.
    const auto none = std::ranges::partition_point(
        children, [this](const CallNode& child) { return child.value(calls_->measure) > 0; });
    return static_cast<int>(none - children.begin());
}

int CallTreeModel::columnCount(const QModelIndex& /*parent*/) const {
    return calls_ && calls_->compared ? kColumns : Before;
}

QString CallTreeModel::words(const CallNode& node, int column) const {
    const DurationNs took_ns = node.value(calls_->measure);
    switch (column) {
        case Name: return callName(calls_->tree, node);
        case Total: return duration(took_ns);
        case Share:
            return text(formatPercent(static_cast<double>(took_ns) /
                                      static_cast<double>(calls_->tree.root().value(calls_->measure))));
        case Own: return duration(node.ownValue(calls_->measure));
        case Calls: return node.calls > 0 ? count(node.calls) : QString();
        case Before: return duration(calls_->before(node));
        case More: return differenceWords(*calls_, node);
        default: return {};
    }
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const {
    if (!calls_ || !index.isValid()) {
        return {};
    }
    const CallNode& node = calls_->tree.nodes[nodeOf(index)];
    switch (role) {
        case Qt::DisplayRole: return cellWords(words(node, index.column()));
        case kWholeTextRole: return words(node, index.column());
        case Qt::ToolTipRole: return plainTip(callTip(*calls_, node));
        case Qt::TextAlignmentRole: return alignmentOf(index.column());
        default: return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !calls_) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignmentOf(section);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case Name: return tr("Call");
        case Total: return calls_->measure == CallMeasure::Host ? tr("CPU time") : tr("GPU time");
        case Share: return tr("Share");
        case Own: return tr("Self");
        case Calls: return tr("Calls");
        case Before: return tr("Other run");
        case More: return tr("Difference");
        default: return {};
    }
}

}  // namespace rankscope::ui
