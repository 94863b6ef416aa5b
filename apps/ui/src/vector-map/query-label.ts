interface Place {
  x: number;
  y: number;
}

/** Offsets of the label's middle and base line from the query's mark: above, below, right, left. */
const sides: Place[] = [
  { x: 0, y: -12 },
  { x: 0, y: 21 },
  { x: 46, y: 4 },
  { x: -46, y: 4 },
];

/** A rank's disc touches the label if it is nearer than this to the label's middle, on both axes. */
const touching = { x: 40, y: 14 };

/** The offset at which the fewest ranks touch the label. All places are in pixels. */
export function queryLabelOffset(query: Place, ranks: Place[]): Place {
  const hidden = sides.map((side) => {
    const middle = { x: query.x + side.x, y: query.y + side.y - 4 };
    return ranks.filter(
      ({ x, y }) => Math.abs(x - middle.x) < touching.x && Math.abs(y - middle.y) < touching.y,
    ).length;
  });
  return sides[hidden.indexOf(Math.min(...hidden))]!;
}
