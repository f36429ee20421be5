#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""build_wheel.py NATIVE FOLDER: packs python/rankscope and its compiled part NATIVE as a wheel in FOLDER.

Prints the path of the wheel. Needs the standard library alone, and `strip`. The wheel is for the Python that runs this
script, on systems with the shared libraries that NATIVE is linked with. The same input gives the same bytes.
"""
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "rankscope"
EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can have
METADATA = """Metadata-Version: 2.1
Name: rankscope
Version: {version}
Summary: Shows from profiler traces where the steps of distributed PyTorch training spend their time
License: GPL-3.0-or-later
Requires-Python: >=3.11
"""
WHEEL = """Wheel-Version: 1.0
Generator: rankscope
Root-Is-Purelib: false
Tag: {tag}
"""


def version():
    declared = re.search(r"project\(rankscope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    return declared.group(1)


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def stripped(native):
    """The bytes of the compiled part without debug information, of which it has ten times its own size."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / native.name
        shutil.copy(native, copy)
        subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        return copy.read_bytes()


def contents(native):
    """The name and the bytes of each file, without the record."""
    info = f"rankscope-{version()}.dist-info"
    for path in sorted(PACKAGE.glob("*")):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            yield f"rankscope/{path.name}", path.read_bytes()
    yield f"rankscope/{native.name}", stripped(native)
    yield f"{info}/METADATA", METADATA.format(version=version()).encode()
    yield f"{info}/WHEEL", WHEEL.format(tag=tag()).encode()
    yield f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()


def main(native, folder):
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"rankscope-{version()}-{tag()}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:

        def add(name, data):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, data)

        for name, data in contents(native):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            add(name, data)
        name = f"rankscope-{version()}.dist-info/RECORD"
        add(name, "\n".join([*record, f"{name},,", ""]))
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
