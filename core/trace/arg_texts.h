// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/track.h"

namespace rankscope {

/// Calls `use` with each text of a collective's args, an id of RankTrace::strings, for reading or changing it.
template <class Use>
void eachText(CollectiveArgs& args, const Use& use) {
    use(args.name);
    use(args.dtype);
    use(args.group_name);
    use(args.group_description);
    use(args.group_ranks);
    use(args.comms_id);
}

/// The same for a synchronisation's args.
template <class Use>
void eachText(SyncArgs& args, const Use& use) {
    use(args.kind);
}

/// The same for an operator's inputs.
template <class Use>
void eachText(OperatorInputs& inputs, const Use& use) {
    use(inputs.shapes);
    use(inputs.types);
    use(inputs.values);
}

}  // namespace rankscope
