"""The text of a circuit file, from the parts that a drawing was cut into."""

from __future__ import annotations

import json

from companion.importing.bends import headings, inside_of, paths_through
from companion.importing.drawing import Drawing, Lane
from companion.importing.grid import find_grid
from companion.importing.marks import Marks, SectionRows
from companion.importing.pits import PitSpaces
from companion.importing.sections import BoardPart
from companion.rules.circuit.file import Reading, read
from companion.rules.circuit.track import LANE_NAMES, Track

OTHER_MEANING = 0.2
"""Share of differing spaces side by side above which the file means something else by them."""


class FileText:
    """The parts of a circuit file."""

    def __init__(self, drawing: Drawing, name: str, lanes: list[Lane], marks: Marks, pit: PitSpaces | None) -> None:
        self.drawing, self.name, self.lanes, self.marks, self.pit = drawing, name, lanes, marks, pit
        self.parts, self.rows = marks.parts, marks.rows
        self.lane_names = LANE_NAMES[len(lanes)]
        self.spot_names = {node: f"{s}:{self.lane_names[lane]}:{n}" for node, (s, lane, n) in marks.spots.items()}
        self.loose: set[int] = set()
        self.beside: list[list[str]] = []
        self.apart: list[list[str]] = []
        self.zones: list[tuple[str, list[int]]] = []
        """Names and sections of the zones for the cup's DRS, which no drawing knows."""
        self.headings = headings(drawing, marks.parts)

    def read(self) -> Reading:
        """Return the track that the file makes, as it stands."""
        return read(self.text(), self.name, "imported")

    def text(self) -> str:
        """Return the whole file."""
        drawing = self.drawing
        title = self.name.rsplit(".", 1)[0].replace("_", " ").replace("-", " ").strip().title() or "Imported"
        low, high = drawing.weather or (8, 12)
        skies = {"rain": [1, low - 1], "changeable": [low, high], "sun": [high + 1, 20]}
        if low == 1 or high == 20:
            drawing.weather = None
            drawing.note("import.sky_without_face", sky="rain" if low == 1 else "sun")
            skies = {"rain": [1, 7], "changeable": [8, 12], "sun": [13, 20]}
        weather = "{ " + ", ".join(f"{sky} = {band}" for sky, band in skies.items()) + " }"
        told = "the weather chart is that file's" if drawing.weather else "the weather chart is a proposal"
        out = [
            f"# {title}, imported from {self.name}.",
            "#",
            "# Compare it with your board, section by section: spaces a lane, arrows, stops. If left and right are",
            "# exchanged, the drawing was a mirror image. Corners have numbers for names, and the country is to be",
            "# filled in.",
            *(f"# Note: {note}" for note in drawing.notes),
            "",
            f"name    = {_quoted(title)}",
            'country = "not told"',
            'known   = "space"',
            "laps    = { competition = 3, cup = 3, league = 2, death = 2 }",
            f"weather = {weather}",
            f"source  = {_quoted(f'Imported from {self.name}, drawn for a hobby program.')}",
            f"trust   = {_quoted(f'As far as that drawing goes; nobody compared it with a board; {told}.')}",
            f"line    = {json.dumps([self.spot_names[lane[0]] for lane in self.lanes])}",
        ]
        if grid := find_grid(drawing, self.lanes, self.marks):
            out.append(f"grid    = {json.dumps([self.spot_names[i] for i in grid])}")
        for key, pairs in (("beside", self.beside), ("apart", self.apart)):
            if pairs:
                out += [f"{key:<7} = [", *(f"    {json.dumps(pair)}," for pair in pairs), "]"]
        out += self._pit_text()
        if self.zones:
            out += ["", "# The DRS zones are a proposal: the two longest stretches between corners."]
        for zone, sections in self.zones:
            out += ["", "[[drs]]", f"name     = {_quoted(zone)}", f"sections = {sections}", "proposed = true"]
        number = 0
        for s, (part, rows) in enumerate(zip(self.parts, self.rows, strict=True)):
            number += bool(part.stops)
            out += self._section_text(s, part, rows, number)
        return "\n".join(out) + "\n"

    def _section_text(self, s: int, part: BoardPart, rows: SectionRows, number: int) -> list[str]:
        direction, bend = self.headings[s]
        out = ["", "[[section]]"]
        if part.stops:
            inside = self.lane_names[inside_of(self.drawing, self.lanes, part, bend)]
            shortest, longest = paths_through(self.drawing, part)
            out += [
                f'corner  = "Corner {number}"',
                f"stops   = {part.stops}",
                f"shortest = {shortest}",
                f"longest = {longest}",
                f'inside  = "{inside}"',
                *(["loose   = true"] if s in self.loose else []),
            ]
        if not part.stops or self.parts[s - 1].stops:
            out.append(f"stagger = {rows.stagger}")
        width = max(7, *map(len, self.lane_names))
        out += [f"{lane:<{width}} = {_quoted(row)}" for lane, row in zip(self.lane_names, rows.lanes, strict=True)]
        out += [f"direction = {direction}", f"bend    = {bend}"]
        return out

    def _pit_text(self) -> list[str]:
        if self.pit is None:
            return []
        entries = [[self.spot_names[i], n] for i, n in self.pit.entries]
        exits = [[n, self.spot_names[i]] for n, i in self.pit.exits]
        out = [
            "",
            "[pit]",
            f"entries = {json.dumps(entries)}",
            f"spaces  = {len(self.pit.nodes)}",
            f"boxes   = {self.pit.boxes}",
        ]
        if self.pit.line:
            out.append(f"line    = {self.pit.line}")
        return [*out, f"exits   = {json.dumps(exits)}"]

    def add_sideways(self, track: Track) -> None:
        """In loose corners says of spaces with a move from one to the other that they are side by side."""
        for (i, _), j in self.marks.kept.items():
            a, b = (track.ids[self.spot_names[node]] for node in (i, j))
            if track.spaces[a].section in self.loose and b not in track.beside[a]:
                self.beside.append([self.spot_names[i], self.spot_names[j]])

    def add_neighbours(self, track: Track) -> None:
        """Write which spaces are side by side where the file differs from our geometry."""
        node_of = {name: i for i, name in self.spot_names.items()}
        lane_of = {i: k for k, lane in enumerate(self.lanes) for i in lane}
        ours = {
            frozenset((node_of[track.spaces[a].name], node_of[track.spaces[b].name]))
            for a in range(len(track.spaces))
            for b in track.beside[a]
        }
        theirs = {
            frozenset((a, b))
            for a, others in self.drawing.neighbours.items()
            for b in others
            if a in lane_of and b in lane_of and abs(lane_of[a] - lane_of[b]) == 1
        }
        if not theirs:
            self.drawing.note("import.no_neighbours")
            return
        if len(ours ^ theirs) > OTHER_MEANING * len(ours):
            self.drawing.note("import.neighbours_differ", theirs=len(theirs), ours=len(ours), apart=len(ours ^ theirs))
            return
        for pairs, kept in ((theirs - ours, self.beside), (ours - theirs, self.apart)):
            kept += sorted(sorted((self.spot_names[i] for i in pair), key=lambda n: track.ids[n]) for pair in pairs)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
