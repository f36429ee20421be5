# SPDX-License-Identifier: GPL-3.0-or-later
"""A trace with as many slices as are asked for: two steps of CPU operators, and a kernel per thousand of them."""
import json

NAMES = ["aten::mm", "aten::add", "aten::relu", "aten::copy_"]


def write_run(path, slices):
    """Writes about `slices` slices to a file, and returns their number."""
    head = {"distributedInfo": {"rank": 0, "world_size": 1}, "deviceProperties": [{"id": 0, "name": "GPU"}]}
    per_step = slices // 2
    written = 0
    with open(path, "w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ', "traceEvents": [\n')
        lines = []
        for step in range(2):
            begin = step * per_step * 2
            mark = {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1}
            lines.append(json.dumps({**mark, "ts": begin, "dur": per_step * 2 - 1}))
            for i in range(per_step - 1):
                name = NAMES[i % len(NAMES)]
                ts = begin + 2 * i + 1
                if i % 1000 == 999:
                    lines.append(
                        f'{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{ts},"dur":1,'
                        f'"args":{{"device":0,"stream":7,"correlation":{i}}}}}'
                    )
                else:
                    lines.append(f'{{"ph":"X","cat":"cpu_op","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":1}}')
            written += per_step
        out.write(",\n".join(lines))
        out.write("\n]}\n")
    return written
