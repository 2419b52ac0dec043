"""A wheel with kernels: `python -m release.wheel --out dist`. Nothing is compiled where it is installed and fits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from thurn_env.checks import MOST_THREADS, check_options, checked_whole, quoted
from thurn_env.commands.arguments import call, program
from thurn_env.engine import prebuilt
from thurn_env.errors import OptionError, ThurnError
from thurn_env.games import GAMES

PROGRAM = "python -m release.wheel"
ROOT = Path(__file__).parents[1]
TARGET = {"NUMBA_CPU_NAME": prebuilt.PROCESSOR, "NUMBA_CPU_FEATURES": "+avx2"}
"""What Numba compiles for."""
NOTES = """
from thurn_env.engine.kernel_cache import cache_folder
from thurn_env.games import EXAMPLES, GAMES
from thurn_env.games.engines import engine
cache_folder()
for game in (*GAMES, *EXAMPLES):
    engine(game)
"""
"""Leaves notes of all digests in the cache."""
INDEX = """
import sys
from pathlib import Path
from thurn_env.engine import digests, prebuilt
from thurn_env.engine.kernel_cache import processor, remembered
prebuilt.write_index(Path(sys.argv[1]), remembered(digests.code_digest), processor())
"""
"""Describes a folder of kernels."""


@dataclass(frozen=True)
class Arguments:
    """Build a platform wheel with compiled kernels, for this system and this Python.

    Attributes:
        out: the folder for the wheel.
        games: the games whose kernels are packed, with all their published boards and numbers of players.
        jobs: how many processes compile side by side; one for every core if 0.
        quick: pack only the kernels of single games and bots with 2 players, to try the wheel out.
    """

    out: Path = Path("dist")
    games: tuple[str, ...] = tuple(GAMES)
    jobs: int = 0
    quick: bool = False


def run(given: list[str]) -> int:
    """Build the wheel that is asked for, and say where it is."""
    arguments = call(Arguments, given, PROGRAM)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    for game in arguments.games:
        if game not in GAMES:
            raise OptionError(f"--games: there is no game {quoted(game)}; the games are {', '.join(GAMES)}")
    built = build(arguments.out, arguments.games, arguments.jobs, arguments.quick)
    print(f"{built} ({built.stat().st_size / 1e6:.1f} MB)")
    return 0


def build(out: Path, games: tuple[str, ...], jobs: int, quick: bool) -> Path:
    """Compile, pack, and return the wheel; see `Arguments`."""
    if prebuilt.FOLDER.exists():
        raise ThurnError(f"{prebuilt.FOLDER} is in the way: remove it")
    with tempfile.TemporaryDirectory() as scratch:
        source, cache = Path(scratch, "source"), Path(scratch, "cache")
        copy_source(source)

        def python(*words: str) -> None:
            """Run Python with the copied sources."""
            command = [sys.executable, *words]
            variables = {**os.environ, **TARGET, "THURN_CACHE_DIR": str(cache), "PYTHONPATH": str(source)}
            done = subprocess.run(command, cwd=source, env=variables, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                raise ThurnError(f"{' '.join(command[:4])} failed: {done.stdout[-2000:]}")

        for game in games:
            asked = ["--stage", "game", "bots"] if quick else ["--all"]
            python("-m", "thurn_env", "warm", "--game", game, "--jobs", str(jobs), *asked)
        python("-c", NOTES)
        (kernels,) = cache.glob("kernels-*")
        packed = source / prebuilt.FOLDER.relative_to(ROOT)
        packed.mkdir()
        for file in (*kernels.glob("*.nbc"), *kernels.glob("*.compiled"), *cache.glob("digest-*")):
            shutil.copy(file, packed)
        python("-c", INDEX, str(packed))
        version, platform = f"cp{sys.version_info.major}{sys.version_info.minor}", sysconfig.get_platform()
        (source / "setup.cfg").write_text(f"[bdist_wheel]\npython_tag = {version}\nplat_name = {platform}\n")
        dist = Path(scratch, "dist")
        python("-m", "build", "--wheel", "--outdir", str(dist))
        (built,) = dist.glob("*.whl")
        out.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(built, out))


def copy_source(folder: Path) -> None:
    """Copy what git would commit, so that leftovers of earlier builds cannot slip in."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
