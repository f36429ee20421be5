// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/network/network_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "core/report/network.h"
#include "ui/panels/network/network_map.h"
#include "ui/panels/network/transport_look.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/keyed_splitter.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {

NetworkPanel::NetworkPanel(const Theme& theme, QWidget* parent)
    : CompanionPanel(theme, tr("Close the Logs"), tr("Findings about the network"), parent),
      job_(new QComboBox),
      communicators_(new SortedTable(tr("Communicators"), new DataTableModel(theme))),
      shown_(plainLabel()),
      shape_(new QComboBox),
      map_(new NetworkMap(theme)),
      legend_(new TransportLegend(theme)) {
    job_->setAccessibleName(tr("Job"));
    shape_->setAccessibleName(tr("Ring or tree"));
    shape_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    communicators_->setFitted(true);
    tables().setFirst(tr("Rings and trees"), picturePart());
    arrange(job_);
    connect(job_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(communicators_, &SortedTable::rowActivated, this,
            [this](std::uint32_t row) { showCommunicator(std::size_t{row}); });
    connect(shape_, &QComboBox::currentIndexChanged, this, &NetworkPanel::showShape);
    connect(&body(), &RichText::anchorClicked, this, [this](const QUrl& url) {
        const QString to = url.toString();
        bool is_number = false;
        const std::size_t at = to.mid(QLatin1String(kCommunicatorLink).size()).toULongLong(&is_number);
        if (to.startsWith(QLatin1String(kCommunicatorLink)) && is_number) {
            tables().showFront({});
            communicators_->view().selectRow(static_cast<int>(at));
            showCommunicator(at);
        }
    });
    offerJobs();
    showNothing();
}

QWidget* NetworkPanel::picturePart() {
    auto* scroll = new QScrollArea;
    scroll->setWidget(map_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    shown_->setProperty("role", QStringLiteral("dim"));
    auto* picture = new QWidget;
    auto* head = new WrappingRow;
    head->setSpacing(6);
    head->addWidget(shape_);
    head->addWidget(shown_);
    head->addWidget(legend_, 1);
    auto* layout = new QVBoxLayout(picture);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(scroll, 1);
    auto* part = new KeyedSplitter(Qt::Horizontal, tr("Communicators and picture"));  // a place is low, not narrow
    part->addWidget(communicators_);
    part->addWidget(picture);
    part->setStretchFactor(0, 1);
    part->setStretchFactor(1, 2);
    part->setSizes({1'350, 2'000});
    return part;
}

void NetworkPanel::setLogs(std::shared_ptr<const ReadLogs> logs) {
    if (logs == logs_) {
        return;
    }
    logs_ = std::move(logs);
    offerJobs();
    outdate();
}

void NetworkPanel::offerJobs() {
    const QSignalBlocker quiet(job_);
    job_->clear();
    for (std::size_t i = 0; logs_ != nullptr && i < logs_->network.jobs.size(); ++i) {
        const network::Job& job = logs_->network.jobs[i];
        job_->addItem(tr("Job %1: %2").arg(i + 1).arg(text(report::networkJobWords(logs_->logs, job))));
    }
    job_->setVisible(job_->count() > 1);
}

void NetworkPanel::setTheme(const Theme& theme) {
    CompanionPanel::setTheme(theme);
    communicators_->setTheme(theme);
    map_->setTheme(theme);
    legend_->setTheme(theme);
    if (page_ != nullptr) {
        write(networkHtml(*page_, theme));
    }
}

// ---- content

void NetworkPanel::refresh() {
    if (logs_ == nullptr || logs_->network.jobs.empty()) {
        showNothing();
        return;
    }
    const auto at = static_cast<std::size_t>(std::max(0, job_->currentIndex()));
    work([of = JobOfLogs{logs_, at}] { return std::make_shared<const NetworkPage>(networkPage(of)); },
         [this](const auto& page) { showPage(page); });
}

void NetworkPanel::showNothing() {
    job().forget();
    drawing_.forget();
    page_.reset();
    takeGraph(nullptr);
    showNone(tr("NCCL's logs"),
             logs_ != nullptr
                 ? tr("No process of NCCL is in these logs.")
                 : tr("Drop NCCL's logs (NCCL_DEBUG=INFO), or a folder with them, on the window. Then what "
                      "NCCL uses between ranks is here."),
             logs_ != nullptr);
}

void NetworkPanel::showPage(std::shared_ptr<const NetworkPage> page) {
    page_ = std::move(page);
    showContent(page_->title, page_->tables);
    write(networkHtml(*page_, theme()));
    communicators_->set(page_->communicators, tr("These logs show no communicator."));
    if (page_->communicators->rows.empty()) {
        takeGraph(nullptr);
        return;
    }
    const auto& all = page_->of.job().communicators;
    const auto largest = std::ranges::max_element(all, {}, &network::Communicator::ranks) - all.begin();
    communicators_->view().selectRow(static_cast<int>(largest));
    showCommunicator(static_cast<std::size_t>(largest));
}

std::function<QString()> NetworkPanel::copied() const {
    return [logs = logs_] {
        const NetworkInput input{logs->logs, logs->network, logs->unreadable};
        return text(networkScreen(input, {}, true));
    };
}

void NetworkPanel::showCommunicator(std::size_t communicator) {
    if (page_ == nullptr || communicator >= page_->of.job().communicators.size()) {
        return;
    }
    drawing_.start([this, of = page_->of, communicator](const std::stop_token&) -> LatestJob::Show {
        return
            [this, graph = std::make_shared<const NetworkGraph>(networkGraph(of, communicator))] { takeGraph(graph); };
    });
}

void NetworkPanel::takeGraph(std::shared_ptr<const NetworkGraph> graph) {
    graph_ = std::move(graph);
    {
        const QSignalBlocker quiet(shape_);
        shape_->clear();
        for (std::size_t i = 0; graph_ != nullptr && i < graph_->shapes.size(); ++i) {
            shape_->addItem(graph_->shapes[i].title);
        }
    }
    shape_->setVisible(shape_->count() > 0);
    showShape(std::max(0, shape_->currentIndex()));
}

void NetworkPanel::showShape(int shape) {
    std::set<network::PathKind> kinds;
    const auto at = static_cast<std::size_t>(std::max(0, shape));
    const bool has_shape = graph_ != nullptr && at < graph_->shapes.size();
    if (has_shape) {
        for (const GraphEdge& edge : graph_->shapes[at].edges) {
            kinds.insert(edge.kind);
        }
    }
    shown_->setVisible(graph_ != nullptr && !has_shape);
    shown_->setText(tr("These logs show no rings, trees or paths."));
    legend_->setKinds(kinds);
    map_->setGraph(graph_, at);
}

}  // namespace rankscope::ui
