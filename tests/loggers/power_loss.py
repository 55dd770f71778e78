"""Simulate power failures during the writing of a log, and check that it has all synced runs.

``python power_loss.py [SCENARIO ...]`` prints the number of simulated disks and all failures. With
``--without STEP``, the writer leaves out a step, and the check must fail.

The model follows Pillai et al., "All file systems are not created equal" (OSDI 2014). Synced data
are durable. Of data that were written and not synced, the disk has all, a half, zeros, or nothing.
If a name was created, changed or removed and its folder was not synced, the disk has the old or the
new state, for each name independently.
"""

import itertools
import json
import shutil
import sys
import tempfile
from pathlib import Path

import scenarios
from scenarios import SCENARIOS, Trial, check, chosen, fresh, prepare

from firsthit.loggers.hdf5 import storage


class File:
    """The data of a file, and the durable data."""

    def __init__(self, data=b""):
        self.data, self.durable = data, data


class Disk:
    """Model of the files under a folder.

    Attributes:
        names: Durable files by path; None for a folder.
        pending: Changes of names that are not durable: the folder, and the new files by path (None
            for a folder, "gone" for a removed name). A rename changes two names in one change.
        handles: Open files by handle.
    """

    def __init__(self, root):
        self.root = root
        self.names, self.pending, self.handles = {}, [], {}
        for path in sorted(root.rglob("*")):
            self.names[path] = None if path.is_dir() else File(path.read_bytes())

    def change(self, folder, names):
        self.pending.append((folder, names))

    def names_after(self, indices):
        """Return the names after some of the pending changes."""
        names = dict(self.names)
        for i in indices:
            for path, item in self.pending[i][1].items():
                if item == "gone":
                    names.pop(path, None)
                else:
                    names[path] = item
        return names

    def all_names(self):
        return self.names_after(range(len(self.pending)))

    def settle(self, folder):
        """Make the pending changes in a folder durable."""
        synced = [i for i, (parent, _) in enumerate(self.pending) if parent == folder]
        self.names = self.names_after(synced)
        self.pending = [change for i, change in enumerate(self.pending) if i not in synced]


class Recorder:
    """Record all disks that a power failure may leave after each step of a scenario.

    It replaces the steps of ``storage`` by functions that also call the method of the same name
    here, which applies the step to the model of the disk.

    Attributes:
        pictures: Data of the files by path, folders, and acknowledged runs of each possible disk.
    """

    def __init__(self, disk, acknowledged):
        self.disk = disk
        self.acknowledged = set(acknowledged)
        self.pictures = []
        for name in storage.STEPS:
            setattr(storage, name, self._instead(getattr(storage, name), getattr(self, name)))

    def _instead(self, real, model):
        def step(*arguments):
            result = real(*arguments)
            if real.__module__ == storage.__name__:  # not replaced by ``--without``
                model(result, *arguments)
            self._take_pictures()
            return result

        return step

    def make_folder(self, _, folder):
        self.disk.change(folder.parent, {folder: None})

    def create(self, handle, path):
        file = File()
        self.disk.handles[handle] = file
        self.disk.change(path.parent, {path: file})

    def open_or_create(self, handle, path):
        file = self.disk.all_names().get(path)
        if file is None:
            self.create(handle, path)
        else:
            self.disk.handles[handle] = file

    def cut(self, _, path_or_handle, size):
        is_path = isinstance(path_or_handle, Path)
        files = self.disk.all_names() if is_path else self.disk.handles
        file = files[path_or_handle]
        file.data = file.data[:size]

    def write(self, count, handle, data):
        self.disk.handles[handle].data += bytes(data[:count])

    def sync(self, _, handle):
        file = self.disk.handles[handle]
        file.durable = file.data

    def close(self, _, handle):
        self.disk.handles.pop(handle, None)

    def replace(self, _, old, new):
        self.disk.change(new.parent, {new: self.disk.all_names()[old], old: "gone"})

    def remove(self, _, path):
        self.disk.change(path.parent, {path: "gone"})

    remove_folder = remove

    def sync_folder(self, _, folder):
        self.disk.settle(folder)

    def _take_pictures(self):
        pending = range(len(self.disk.pending))
        choices = {(), tuple(pending)}
        choices |= {(i,) for i in pending} | {tuple(j for j in pending if j != i) for i in pending}
        choices |= {tuple(range(i)) for i in pending}
        for indices, data in itertools.product(choices, (_durable, _zeros, _half, _written)):
            names = self.disk.names_after(indices)
            files = {path: data(item) for path, item in names.items() if item is not None}
            folders = [path for path, item in names.items() if item is None]
            self.pictures.append((files, folders, frozenset(self.acknowledged)))


def _durable(file):
    return file.durable


def _zeros(file):
    return file.durable + b"\0" * (len(file.data) - len(file.durable))


def _half(file):
    return file.data[: (len(file.durable) + len(file.data)) // 2]


def _written(file):
    return file.data


def put(picture, root):
    """Write the files of a picture below ``root``; files in a lost folder are lost."""
    files, folders, _ = picture
    shutil.rmtree(root)
    root.mkdir()
    for folder in sorted(folders):
        if folder.parent.is_dir():
            folder.mkdir()
    for path, data in files.items():
        if path.parent.is_dir():
            path.write_bytes(data)


def pictures_of(name, root, template):
    """Return all different disks that power failures during a scenario may leave.

    Args:
        name: Name of the scenario.
        root: Folder of its files.
        template: Folder with the files before the scenario.
    """
    fresh(template, root)
    real = {step: getattr(storage, step) for step in storage.STEPS}
    recorder = Recorder(Disk(root), scenarios.already_there(name))
    try:
        SCENARIOS[name](Trial(root, synced=recorder.acknowledged.update))
    finally:
        for step, function in real.items():
            setattr(storage, step, function)
    different = {}
    for files, folders, acknowledged in recorder.pictures:
        key = (frozenset(files.items()), frozenset(folders))
        _, _, earlier = different.get(key, (None, None, frozenset()))
        different[key] = (files, folders, acknowledged | earlier)
    return list(different.values())


def main(arguments):
    scenarios.save_time()
    if "--without" in arguments:
        index = arguments.index("--without")
        setattr(storage, arguments[index + 1], lambda *_: None)
        arguments = arguments[:index] + arguments[index + 2 :]
    tried, failures = {}, []
    with tempfile.TemporaryDirectory() as temporary:
        for name in chosen(arguments):
            template, root = Path(temporary) / f"{name}.before", Path(temporary) / name
            prepare(name, template)
            pictures = pictures_of(name, root, template)
            tried[name] = len(pictures)
            for picture in pictures:
                put(picture, root)
                try:
                    check(name, root, picture[2])
                except Exception as error:
                    names = sorted(str(path.relative_to(root)) for path in picture[0])
                    failures.append(f"{name}, {names}: {type(error).__name__}: {error}")
    print(json.dumps({"tried": tried, "failures": failures}, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
