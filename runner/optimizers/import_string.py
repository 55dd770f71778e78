"""From a text to a Python object: ``"module:function"`` and ``"path/file.py:function"``.

Finding an object imports its module, which runs code: only ever done for names that the user wrote
into his own campaign or call, never for names read from a log.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from ...suites.errors import unknown_name
from ..errors import OptimizerError

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FILE_MODULE = "firsthit_file_"
_UNFINISHED = "__firsthit_importing__"


def is_file_reference(text: str) -> bool:
    """Whether ``text`` names a Python file (with or without ``:function``)."""
    return file_of(text).suffix == ".py"


def file_of(text: str) -> Path:
    """The path in ``"path/file.py:function"``."""
    return Path(text.rpartition(":")[0] or text)


def file_hash(reference: object, folder: str) -> dict[str, str]:
    """``file_sha256`` of the file that a reference names, ``""`` of one not there; else nothing."""
    if not isinstance(reference, str) or not is_file_reference(reference):
        return {}
    path = Path(folder) / file_of(reference)
    return {"file_sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""}


def load_object(text: str, folder: Path) -> object:
    """The object named ``"module:name"`` or ``"path/file.py:name"``, relative to a folder."""
    module_name, _, name = text.rpartition(":")
    is_file = is_file_reference(text)
    if not _DOTTED.fullmatch(name) or not (is_file or _DOTTED.fullmatch(module_name)):
        raise OptimizerError(
            f"{text!r} is no reference; write 'module:function' or 'path/file.py:function'"
        )
    module = load_file(folder / module_name) if is_file else _load_module(module_name, text, folder)
    return _attribute(module, name, text)


def import_text(text: str, folder: str) -> None:
    """Import a module, or a Python file by its path, for the suites that it registers."""
    if is_file_reference(text):
        load_file(Path(folder) / text)
    else:
        with importing(text):
            importlib.import_module(text)


def load_file(path: Path) -> ModuleType:
    """Import a Python file under a private name, once per process and content.

    What runs is what was hashed: Python's cached bytecode, which may be that of another version of
    the same length and second, is not used. The file's own folder is searched for the modules it
    imports, as when it is run as a script.
    """
    path = path.resolve()
    if not path.is_file():
        neighbours = (
            [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
        )
        near = difflib.get_close_matches(path.name, neighbours, n=1)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        raise OptimizerError(f"there is no file {str(path)!r}{hint}")
    source = path.read_bytes()
    name = _FILE_MODULE + hashlib.sha256(str(path).encode() + source).hexdigest()[:24]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise OptimizerError(f"{str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    setattr(module, _UNFINISHED, True)
    try:
        with importing(str(path)), searched(str(path.parent)):
            exec(compile(source, path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    delattr(module, _UNFINISHED)
    return module


def refuse_while_importing(call: str) -> None:
    """Raise OptimizerError where :func:`load_file` is importing the file that makes this call."""
    if any(
        getattr(module, _UNFINISHED, False)
        for name, module in list(sys.modules.items())
        if name.startswith(_FILE_MODULE)
    ):
        raise OptimizerError(
            f"{call}() is called while a worker imports this file for its optimizer; "
            "put the call under: if __name__ == '__main__':"
        )


def _load_module(module_name: str, text: str, folder: Path) -> ModuleType:
    with importing(module_name):
        try:
            return importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            top = module_name.partition(".")[0]
            if error.name is None or error.name.partition(".")[0] != top:
                raise
            file = f"{module_name.replace('.', '/')}.py"
            hint = f" Did you mean '{file}:{text.rpartition(':')[2]}'?"
            raise OptimizerError(
                f"no module {module_name!r} is installed (wanted for {text!r})."
                f"{hint if (folder / file).is_file() else ''}"
            ) from error


@contextmanager
def importing(what: str) -> Iterator[None]:
    """Turn what importing raises, SystemExit included, into OptimizerError."""
    try:
        yield
    except OptimizerError:
        raise
    except (Exception, SystemExit) as error:
        text = f"{type(error).__name__}: {error}"
        raise OptimizerError(f"importing {what!r} failed: {text[:400]}") from error


@contextmanager
def searched(folder: str | None) -> Iterator[None]:
    """Let modules in ``folder``, if there is one, be imported, as when a script in it runs."""
    if folder is not None:
        sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder is not None and folder in sys.path:
            sys.path.remove(folder)


def _attribute(module: ModuleType, dotted: str, text: str) -> object:
    value: object = module
    for part in dotted.split("."):
        try:
            value = getattr(value, part)
        except AttributeError as error:
            items = vars(value).items()
            known = [name for name, item in items if callable(item) and not name.startswith("_")]
            raise OptimizerError(f"{text!r}: {unknown_name('name', part, known[:40])}") from error
    return value
