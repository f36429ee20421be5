// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/track.h"

namespace rankscope {

// Which members of a slice's args are texts of RankTrace::strings: `use` is given each, to be looked at or changed.

template <class Use>
void eachText(CollectiveArgs& args, const Use& use) {
    use(args.name);
    use(args.dtype);
    use(args.group_name);
    use(args.group_description);
    use(args.group_ranks);
    use(args.comms_id);
}

template <class Use>
void eachText(SyncArgs& args, const Use& use) {
    use(args.kind);
}

template <class Use>
void eachText(OperatorInputs& inputs, const Use& use) {
    use(inputs.shapes);
    use(inputs.types);
    use(inputs.values);
}

}  // namespace rankscope
