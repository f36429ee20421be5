# SPDX-License-Identifier: GPL-3.0-or-later
"""The Arrow interface of tables, read as another library reads it."""
import ctypes
import gc
import math
import unittest

import rankscope as rk
from arrow_structs import Array, Counted, Schema, Stream, cells, metadata_of, structure_of
from places import SAMPLES


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


class Arrow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = rk.open(SAMPLES / "ZeroWorkers")

    def read(self, table, counted=None):
        """All columns of a stream, batch by batch; the number of batches."""
        capsule = table.__arrow_c_stream__()
        stream = structure_of(capsule, Stream, b"arrow_array_stream")
        schema = Schema()
        self.assertEqual(stream.get_schema(stream, schema), 0)
        self.assertEqual(schema.format, b"+s")
        names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
        columns = {name: [] for name in names}
        batches = 0
        while True:
            batch = Array()
            self.assertEqual(stream.get_next(stream, batch), 0)
            if not batch.release:
                break
            batches += 1
            if counted:
                counted.watch(batch)
            self.assertEqual((batch.n_children, batch.null_count), (len(names), 0))
            for i, name in enumerate(names):
                child = batch.children[i].contents
                self.assertEqual(child.length, batch.length)
                columns[name] += cells(child, schema.children[i].contents)
            batch.release(batch)
        self.assertIsNone(stream.get_last_error(stream))
        if counted:
            counted.watch(schema)
            counted.watch(stream)
        schema.release(schema)
        stream.release(stream)
        del capsule
        gc.collect()
        return columns, batches

    def test_streams_have_the_cells_of_every_table(self):
        for name in rk.tables():
            table = self.run_.table(name)
            columns, batches = self.read(table)
            self.assertEqual(list(columns), [column.name for column in table.columns], name)
            self.assertEqual(batches, 1 if len(table) else 0)
            for row, expected in enumerate(table):
                for column, cell in expected.items():
                    cell = None if isinstance(cell, float) and math.isnan(cell) else cell
                    self.assertTrue(same(columns[column][row], cell), f"{name}.{column}, row {row}")

    def test_release_callbacks_are_called_exactly_once(self):
        counted = Counted()
        self.read(self.run_.slice, counted)
        columns = self.run_.slice.columns
        texts = sum(column.type == "text" for column in columns)
        parts = 2 * (1 + len(columns) + texts) + 1  # a batch and the schema, with dictionaries, and the stream
        self.assertEqual(len(counted.calls), parts)
        self.assertEqual(set(counted.calls.values()), {1})

    def test_a_capsule_that_nobody_takes_releases_its_stream_once(self):
        counted = Counted()
        capsule = self.run_.steps.__arrow_c_stream__()
        counted.watch(structure_of(capsule, Stream, b"arrow_array_stream"))
        del capsule
        self.assertEqual(list(counted.calls.values()), [1])

    def test_the_schema_has_types_names_and_meanings(self):
        capsule = self.run_.slice.__arrow_c_schema__()
        schema = structure_of(capsule, Schema, b"arrow_schema")
        fields = [schema.children[i].contents for i in range(schema.n_children)]
        types = {field.name.decode(): field.format.decode() for field in fields}
        self.assertEqual((types["dur_ns"], types["name"]), ("l", "i"))
        self.assertTrue(all(field.flags == 2 for field in fields))
        for field, column in zip(fields, self.run_.slice.columns):
            self.assertEqual(metadata_of(field), {"meaning": column.meaning})
        reals = self.run_.sql("SELECT 0.5 AS x").__arrow_c_schema__()
        self.assertEqual(structure_of(reals, Schema, b"arrow_schema").children[0].contents.format, b"g")

    def test_batches_are_views_of_the_tables_memory_and_outlive_the_run(self):
        run = rk.open(SAMPLES / "FourWorkers")
        address = run.slice["dur_ns"].__array_interface__["data"][0]
        names = [column.name for column in run.slice.columns]
        expected = run.slice["dur_ns"].tolist()
        capsule = run.slice._cells.arrow_stream(1000)
        run.close()
        del run
        gc.collect()
        stream = structure_of(capsule, Stream, b"arrow_array_stream")
        column = names.index("dur_ns")
        found = []
        while True:
            batch = Array()
            self.assertEqual(stream.get_next(stream, batch), 0)
            if not batch.release:
                break
            child = batch.children[column].contents
            self.assertEqual((child.buffers[1], child.offset), (address, len(found)))
            begin = child.buffers[1] + 8 * child.offset
            found += (ctypes.c_int64 * child.length).from_address(begin)[:]
            self.assertLessEqual(batch.length, 1000)
            batch.release(batch)
        self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
