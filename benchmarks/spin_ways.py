"""SPIN's verifiers of an exported model, in all the ways in which they are worth running."""
from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOM_FOR_FRAMES = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
"""Bytes for frames in a state, the least first: the smallest that is enough is taken."""


@dataclass(frozen=True)
class Way:
    """How a verifier is built and run. `more_bits`: its table has 2^(bits of the number of states + so many) places."""

    flags: tuple[str, ...]
    more_bits: int = 0

    def __str__(self) -> str:
        shown = " ".join(f.removeprefix("-D") for f in self.flags if f not in COMMON) or "plain"
        return shown + (f" -w{self.more_bits:+d}" if self.more_bits else "")

    @property
    def breadth_first(self) -> bool:
        return any(f in ("-DBFS", "-DBFS_PAR") for f in self.flags)

    @property
    def cores(self) -> int:
        return 2 if {"-DNCORE=2", "-DBFS_PAR"} & set(self.flags) else 1


COMMON = ("-march=native", "-DSAFETY", "-DNOBOUNDCHECK")
SEARCHES, REDUCED, STORED = ((), ("-DBFS",)), (("-DNOREDUCE",), ()), ((), ("-DCOLLAPSE",))


def grid() -> list[Way]:
    """-O2 and -O3, breadth and depth first, with and without partial orders, with and without COLLAPSE."""
    return [Way((o, *COMMON, *search, *reduced, *stored))
            for o, search, reduced, stored in itertools.product(("-O2", "-O3"), SEARCHES, REDUCED, STORED)]


TWO_CORES = [Way(("-O3", *COMMON, "-DNOREDUCE", *flags)) for flags in (("-DNCORE=2", "-DMEMLIM=12000"), ("-DBFS_PAR",))]
"""Depth first, SPIN has room for 2 GB in two processes unless it is told otherwise (MEMLIM, megabytes)."""


@dataclass(frozen=True)
class Run:
    """One run: states, transitions, seconds of the clock and of the processor, peak resident bytes; or why it came to no
    end."""

    states: int
    transitions: int
    seconds: float
    processor: float
    bytes: int
    trouble: str = ""


class Spin:
    """A model, exported and built in a folder, which is kept for later runs."""

    def __init__(self, model: Path, folder: Path) -> None:
        self.model, self.folder = model, folder
        folder.mkdir(parents=True, exist_ok=True)
        room, depth = folder / "room", folder / "depth"
        self.room = int(room.read_text()) if room.exists() else 0
        self.depth = int(depth.read_text()) if depth.exists() else 0
        """How deep a search depth first went: the smallest sufficient -m."""

    def export(self, frame_bytes: int) -> None:
        """Write the model anew, with so much room for frames."""
        for old in self.folder.glob("p*"):
            old.unlink()
        command = [sys.executable, "-m", "rulewright.checks", "export", str(self.model), "--to", "promela", "-o", str(self.folder),
                   "--frame-bytes", str(frame_bytes), "--lang", "en"]
        subprocess.run(command, check=True, capture_output=True)
        (pml,) = self.folder.glob("*.pml")
        subprocess.run(["spin", "-a", pml.name], cwd=self.folder, check=True, capture_output=True)

    def built(self, way: Way) -> Path:
        """The verifier."""
        path = self.folder / ("p" + re.sub(r"\W+", "_", " ".join(way.flags)))
        if not path.exists():
            (pml,) = self.folder.glob("*.pml")
            vector = re.search(r"VECTORSZ=(\d+)", pml.read_text(encoding="utf-8"))
            assert vector is not None
            subprocess.run(["gcc", *way.flags, "-w", f"-DVECTORSZ={vector[1]}", "-o", path.name, "pan.c", f"{pml.stem}.c"],
                           cwd=self.folder, check=True, capture_output=True)
        return path

    def run(self, way: Way, states: int) -> Run:
        """Run it; SPIN counts one state and one transition more (before play), and one transition of the process."""
        for frame_bytes in ROOM_FOR_FRAMES:
            if frame_bytes < self.room:
                continue
            if frame_bytes > self.room:
                self.export(frame_bytes)
                self.room = frame_bytes
                (self.folder / "room").write_text(str(frame_bytes))
            known = self.depth
            done = self.once(way, states)
            if "more room for frames" in done.trouble:
                continue
            return self.once(way, states) if self.depth != known else done
        raise SystemExit(f"{self.model}: no room for frames is enough")

    def once(self, way: Way, states: int) -> Run:
        deepest = self.depth + 10 if self.depth else states + 1000
        bits = max(18, (states - 1).bit_length()) + way.more_bits
        command = [str(self.built(way)), f"-w{bits}", *([] if way.breadth_first else [f"-m{deepest}"])]
        begun = time.monotonic()
        done = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.stdout is not None
        text = done.stdout.read()
        _, status, used = os.wait4(done.pid, 0)
        seconds = time.monotonic() - begun
        done.returncode = status
        counts = [re.search(p, text) for p in (r"(\d+) states, stored", r"(\d+) transitions")]
        if status or "errors: 0" not in text or "too small" in text or "error in the model" in text or not all(counts):
            lines = [x.strip() for x in text.splitlines() if re.search(r"error|too small|memory|abort|fail", x)]
            return Run(0, 0, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, f"status {status}: {'; '.join(lines)[:300]}")
        reached = re.search(r"depth reached (\d+)", text)
        if reached is not None and not way.breadth_first and int(reached[1]) > self.depth:
            self.depth = int(reached[1])
            (self.folder / "depth").write_text(str(self.depth))
        stored, transitions = (int(c[1]) for c in counts if c is not None)
        return Run(stored - 1, transitions - 2, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
