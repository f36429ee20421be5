# SPDX-License-Identifier: GPL-3.0-or-later
"""The structures of Arrow's C interfaces as ctypes, and what reads them: for tests without an Arrow library."""
import ctypes
import struct


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ReleaseStream),
    ("private_data", ctypes.c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def structure_of(capsule, kind, name):
    """The structure in a capsule, which keeps it."""
    return kind.from_address(_pointer(capsule, name))


def metadata_of(schema):
    """The pairs of texts of a field."""
    if not schema.metadata:
        return {}
    at = schema.metadata

    def number():
        nonlocal at
        at += 4
        return ctypes.c_int32.from_address(at - 4).value

    def text():
        nonlocal at
        length = number()
        at += length
        return ctypes.string_at(at - length, length).decode()

    return {text(): text() for _ in range(number())}


def cells(array, schema):
    """The values of a column of a batch."""
    assert schema.format in (b"l", b"g", b"i"), schema.format
    assert array.n_buffers == 2 and array.n_children == 0
    size, code = (4, "i") if schema.format == b"i" else (8, "q" if schema.format == b"l" else "d")
    begin = array.buffers[1] + array.offset * size
    values = struct.unpack(f"={array.length}{code}", ctypes.string_at(begin, array.length * size))
    texts = texts_of(array.dictionary.contents) if schema.format == b"i" else None
    bits = array.buffers[0]
    out = []
    for row, value in enumerate(values):
        place = row + array.offset
        is_valid = not bits or ctypes.c_uint8.from_address(bits + place // 8).value >> (place % 8) & 1
        out.append(None if not is_valid else value if texts is None else texts[value])
    return out


def texts_of(dictionary):
    """The texts of a dictionary with 64-bit offsets."""
    assert dictionary.n_buffers == 3 and dictionary.offset == 0
    begin = struct.unpack(
        f"={dictionary.length + 1}q", ctypes.string_at(dictionary.buffers[1], 8 * (dictionary.length + 1))
    )
    whole = ctypes.string_at(dictionary.buffers[2], begin[-1])
    return [whole[begin[i] : begin[i + 1]].decode() for i in range(dictionary.length)]


class Counted:
    """Counts the calls of the release callbacks of a structure and all its parts."""

    def __init__(self):
        self.calls = {}
        self._kept = []

    def watch(self, structure):
        """Puts a counter in front of each callback."""
        kind = type(structure.release)
        original = kind(ctypes.cast(structure.release, ctypes.c_void_p).value)
        place = ctypes.addressof(structure)
        self.calls[place] = 0

        def release(pointer):
            self.calls[ctypes.addressof(pointer.contents)] += 1
            original(pointer)

        counter = kind(release)
        self._kept += [counter, original]
        structure.release = counter
        if not isinstance(structure, Stream):
            for i in range(structure.n_children):
                self.watch(structure.children[i].contents)
            if structure.dictionary:
                self.watch(structure.dictionary.contents)
