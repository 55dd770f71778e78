"""Import the objects that references name: ``"module:function"`` or ``"path/file.py:function"``.

`load_object` returns the object that a reference names. `load_file` imports a Python file, once for
each process and content of the file. `file_hash` returns the checksum that identifies the content
of the file in a log. While an optimizer from a file runs, `searched` makes the modules next to the
file importable.

An import executes code. Therefore a reference is imported only if the user wrote it into a campaign
or a call. A reference that was read from a log is never imported.
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

_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FILE_MODULE_PREFIX = "firsthit_file_"
"""Beginning of the names of modules that `load_file` imports."""
_IMPORTING_FLAG = "__firsthit_importing__"
"""Attribute of a module while `load_file` imports it. It is deleted at the end of the import."""
_MAX_SUGGESTIONS = 40
"""Maximum number of names in a module that are compared with a misspelled name."""
_MAX_MESSAGE_LENGTH = 400
"""Maximum length of the text of an exception in an error message, in characters."""


def load_object(reference: str, folder: Path) -> object:
    """Import the object that a reference names.

    Args:
        reference: ``"module:name"`` or ``"path/file.py:name"``. The name may contain dots.
        folder: Folder of relative paths.

    Returns:
        The object, which may have any type.

    Raises:
        OptimizerError: The reference has another form, the module or file does not exist or cannot
            be imported, or it contains no object with this name.
    """
    module_name, _, name = reference.rpartition(":")
    is_file = is_file_reference(reference)
    if not _DOTTED_NAME.fullmatch(name) or not (is_file or _DOTTED_NAME.fullmatch(module_name)):
        raise OptimizerError(
            f"{reference!r} is not a reference; write 'module:function' or 'path/file.py:function'"
        )
    if is_file:
        return _resolve_name(load_file(folder / module_name), name, reference)
    return _resolve_name(_load_module(module_name, name, folder), name, reference)


def import_text(text: str, folder: str) -> None:
    """Import a module or a Python file, so that it registers its suites.

    Args:
        text: Name of a module, or path of a file that ends with ``.py``.
        folder: Folder of relative paths.

    Raises:
        OptimizerError: There is no such module or file, or importing it fails.
    """
    if is_file_reference(text):
        load_file(Path(folder) / text)
    else:
        with importing(text):
            importlib.import_module(text)


def load_file(path: Path) -> ModuleType:
    """Import a Python file as a module with a private name.

    A process imports a file only once as long as its content stays the same. During the import,
    modules are also searched in the file's folder, as if the file were run as a script.

    Raises:
        OptimizerError: The file does not exist, is no Python file, or importing it fails.
    """
    path = path.resolve()
    if not path.is_file():
        raise OptimizerError(f"there is no file {str(path)!r}{_suggest_file(path)}")
    source = path.read_bytes()
    name = _FILE_MODULE_PREFIX + hashlib.sha256(str(path).encode() + source).hexdigest()[:24]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise OptimizerError(f"{str(path)!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    setattr(module, _IMPORTING_FLAG, True)
    try:
        with importing(str(path)), searched(str(path.parent)):
            # The source is compiled here, and not read from Python's bytecode cache. That cache
            # compares only the length and the modification second of a file, so that it may return
            # the code of another version.
            exec(compile(source, path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    delattr(module, _IMPORTING_FLAG)
    return module


def refuse_while_importing(function_name: str) -> None:
    """Raise OptimizerError if a function is called while `load_file` imports a file.

    A script may benchmark an optimizer that it defines. Each worker process then imports the
    script, and without this check it would start the benchmark again.

    Args:
        function_name: Name of the called function, for the message.
    """
    if any(
        getattr(module, _IMPORTING_FLAG, False)
        for name, module in list(sys.modules.items())
        if name.startswith(_FILE_MODULE_PREFIX)
    ):
        raise OptimizerError(
            f"{function_name}() is called while a worker imports this file for its optimizer; "
            "put the call under: if __name__ == '__main__':"
        )


def is_file_reference(text: str) -> bool:
    """Return whether a text is the path of a Python file, with or without ``:function``."""
    return file_of(text).suffix == ".py"


def file_of(text: str) -> Path:
    """Return the path in ``"path/file.py:function"``; ``:function`` may be missing."""
    return Path(text.rpartition(":")[0] or text)


def file_hash(reference: object, folder: str) -> dict[str, str]:
    """Return the SHA-256 of the file that a reference names, for the description in a log.

    Args:
        reference: Optimizer or duration of a campaign: a text or a Python object.
        folder: Folder of relative paths.

    Returns:
        ``{"file_sha256": hexadecimal digits}``. The value is ``""`` if the file does not exist. The
        mapping is empty if ``reference`` is not a text that names a file.
    """
    if not isinstance(reference, str) or not is_file_reference(reference):
        return {}
    path = Path(folder) / file_of(reference)
    return {"file_sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""}


@contextmanager
def importing(label: str) -> Iterator[None]:
    """Convert an exception that an import in the block raises to OptimizerError.

    SystemExit is converted, too, because the imported file may call ``sys.exit``.

    Args:
        label: Name of the module or path of the file, for the message.
    """
    try:
        yield
    except OptimizerError:
        raise
    except (Exception, SystemExit) as error:
        message = f"{type(error).__name__}: {error}"[:_MAX_MESSAGE_LENGTH]
        raise OptimizerError(f"importing {label!r} failed: {message}") from error


@contextmanager
def searched(folder: str | None) -> Iterator[None]:
    """Let imports in the block search a folder first, as Python does for the folder of a script.

    Args:
        folder: Folder that is inserted into `sys.path` and removed after the block. None: nothing
            is changed.
    """
    if folder is not None:
        sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder is not None and folder in sys.path:
            sys.path.remove(folder)


def _load_module(module_name: str, name: str, folder: Path) -> ModuleType:
    """Import a module. The error for an unknown module suggests a file with its name, if any.

    Args:
        module_name: Name of the module, which may contain dots.
        name: Name of the object in the module, for the message.
        folder: Folder in which the file is searched for the suggestion.
    """
    with importing(module_name):
        try:
            return importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            top = module_name.partition(".")[0]
            # The named module may exist, and import another module that does not exist. The error
            # then names that other module.
            if error.name is None or error.name.partition(".")[0] != top:
                raise
            file = f"{module_name.replace('.', '/')}.py"
            hint = f" Did you mean '{file}:{name}'?" if (folder / file).is_file() else ""
            raise OptimizerError(
                f"no module {module_name!r} is installed "
                f"(wanted for {f'{module_name}:{name}'!r}).{hint}"
            ) from error


def _suggest_file(path: Path) -> str:
    """Return a suggestion of a Python file with a similar name in the same folder, or ``""``."""
    names = [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
    nearest = difflib.get_close_matches(path.name, names, n=1)
    return f". Did you mean {nearest[0]!r}?" if nearest else ""


def _resolve_name(module: ModuleType, dotted_name: str, reference: str) -> object:
    """Return the object with this name in a module; raise OptimizerError if there is none."""
    value: object = module
    for name in dotted_name.split("."):
        try:
            value = getattr(value, name)
        except AttributeError as error:
            allowed = [
                attribute
                for attribute, content in vars(value).items()
                if callable(content) and not attribute.startswith("_")
            ]
            hint = unknown_name("name", name, allowed[:_MAX_SUGGESTIONS])
            raise OptimizerError(f"{reference!r}: {hint}") from error
    return value
