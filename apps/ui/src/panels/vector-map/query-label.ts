interface Place {
  x: number;
  y: number;
}

/** From the query's mark to the label: `x` to its middle, `y` to its base line. Above, below, right, left. */
const sides: Place[] = [
  { x: 0, y: -12 },
  { x: 0, y: 21 },
  { x: 46, y: 4 },
  { x: -46, y: 4 },
];

/** A disc with a rank touches the label if, on both axes, it is nearer than this to the label's middle. */
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
