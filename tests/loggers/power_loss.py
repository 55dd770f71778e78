"""Builds disks as a power failure may leave them, and looks for the runs a log had synced.

``python power_loss.py [SCENARIO ...]``; with ``--without STEP`` the writer leaves out a step, and
this is to be noticed. The model, after Pillai et al., "All file systems are not created equal"
(OSDI 2014): what was written to a file and not synced is there, there in part, there as zeros, or
missing; a name that was given, changed or removed and whose folder was not synced is there or not,
each name for itself, whatever the data; synced means durable.
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
    """What a file holds, and what of it is durable."""

    def __init__(self, data=b""):
        self.data, self.durable = data, data


class Disk:
    """Names and files under ``root``: as they are, and which changes of names are not durable yet.

    A change is ``(folder, {name: file or None})``; a rename changes two names at once.
    """

    def __init__(self, root):
        self.root = root
        self.names, self.pending, self.handles = {}, [], {}
        for path in sorted(root.rglob("*")):
            self.names[path] = None if path.is_dir() else File(path.read_bytes())

    def change(self, folder, names):
        self.pending.append((folder, names))

    def now(self, kept):
        """Names after these of the pending changes."""
        names = dict(self.names)
        for i in kept:
            for path, item in self.pending[i][1].items():
                if item == "gone":
                    names.pop(path, None)
                else:
                    names[path] = item
        return names

    def all_names(self):
        return self.now(range(len(self.pending)))

    def settle(self, folder):
        """Make the pending changes in a folder durable."""
        here = [i for i, (where, _) in enumerate(self.pending) if where == folder]
        self.names = self.now(here)
        self.pending = [one for i, one in enumerate(self.pending) if i not in here]


class Recorder:
    """Follows a scenario step by step on a model of the disk, and takes pictures of what may be.

    Attributes:
        pictures: ``(files by path, folders, acknowledged)`` of every disk a failure may leave.
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
            if real.__module__ == storage.__name__:  # and not left out
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
        known = self.disk.all_names().get(path)
        if known is None:
            self.create(handle, path)
        else:
            self.disk.handles[handle] = known

    def cut(self, _, place, size):
        by_path = isinstance(place, Path)
        file = self.disk.all_names()[place] if by_path else self.disk.handles[place]
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
        for kept, data in itertools.product(choices, (_durable, _zeros, _half, _written)):
            names = self.disk.now(kept)
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
    """Make the disk of a picture; what stands in a folder that is lost is lost with it."""
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
    """All different disks that power failures during a scenario may leave."""
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
        _, _, before = different.get(key, (None, None, frozenset()))
        different[key] = (files, folders, acknowledged | before)
    return list(different.values())


def main(arguments):
    scenarios.save_time()
    if "--without" in arguments:
        at = arguments.index("--without")
        setattr(storage, arguments[at + 1], lambda *_: None)
        arguments = arguments[:at] + arguments[at + 2 :]
    tried, failures = {}, []
    with tempfile.TemporaryDirectory() as place:
        for name in chosen(arguments):
            template, root = Path(place) / f"{name}.before", Path(place) / name
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
