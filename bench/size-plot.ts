import type { Figure } from './measure.ts';

const width = 760;
const height = 460;
const frame = { left: 64, right: 190, top: 24, bottom: 48 };
/** Each line has its name at its end, so that a reader can tell the lines apart without colour. */
const colours = ['#2563eb', '#db2777', '#059669', '#d97706', '#7c3aed', '#0891b2', '#dc2626', '#4b5563'];

interface Line {
  name: string;
  points: { size: number; ms: number }[];
}

/**
 * Milliseconds against the number of objects, both on logarithmic scales. The figures are minima, which other load on
 * the machine disturbs least.
 */
export function drawSizes(figures: Figure[]): string {
  const lines = linesOf(figures);
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))].sort(
    (a, b) => a - b,
  );
  const times = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const x = scale(sizes[0]!, sizes.at(-1)!, frame.left, width - frame.right);
  const [least, most] = [
    10 ** Math.floor(Math.log10(Math.min(...times))),
    10 ** Math.ceil(Math.log10(Math.max(...times))),
  ];
  const y = scale(least, most, height - frame.bottom, frame.top);
  const ticks: number[] = [];
  for (let tick = least; tick <= most; tick *= 10) ticks.push(tick);
  const labels = spread(lines.map(({ points }) => y(points.at(-1)!.ms)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Milliseconds against the number of objects</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...ticks.map(
      (tick) =>
        `<path d="M${frame.left} ${y(tick)}H${width - frame.right}" stroke="#e5e7eb"/><text x="${frame.left - 8}" y="${y(tick) + 4}" text-anchor="end" fill="#374151">${timeText(tick)}</text>`,
    ),
    ...sizes.map(
      (size) =>
        `<path d="M${x(size)} ${frame.top}V${height - frame.bottom}" stroke="#f3f4f6"/><text x="${x(size)}" y="${height - frame.bottom + 20}" text-anchor="middle" fill="#374151">${size.toLocaleString('en')}</text>`,
    ),
    `<text x="${(frame.left + width - frame.right) / 2}" y="${height - 8}" text-anchor="middle" fill="#111827">objects in the collection</text>`,
    ...lines.map(({ name, points }, at) => {
      const colour = colours[at % colours.length];
      const path = points.map(({ size, ms }, index) => `${index ? 'L' : 'M'}${x(size)} ${y(ms)}`).join('');
      const dots = points.map(
        ({ size, ms }) => `<circle cx="${x(size)}" cy="${y(ms)}" r="3" fill="${colour}"/>`,
      );
      const label = `<text x="${width - frame.right + 10}" y="${labels[at]! + 4}" fill="${colour}">${name}</text>`;
      return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.75"/>${dots.join('')}${label}`;
    }),
    '</svg>\n',
  ].join('\n');
}

function linesOf(figures: Figure[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { name, subject } of figures) {
    const [, work, size] = /^(.*) of ([\d,]+)$/.exec(name) ?? [];
    if (!work || !size) continue;
    const line = lines.get(work) ?? { name: work, points: [] };
    line.points.push({ size: Number(size.replaceAll(',', '')), ms: Math.min(...subject) });
    lines.set(work, line);
  }
  return [...lines.values()];
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = Math.log10(to) - Math.log10(from) || 1;
  return (value) =>
    Math.round((start + ((Math.log10(value) - Math.log10(from)) / span) * (end - start)) * 10) / 10;
}

/** Moves the labels until they are at least 15 apart. */
function spread(places: number[]): number[] {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  const placed: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const { place, at } of order) {
    least = Math.max(place, least + 15);
    placed[at] = least;
  }
  return placed;
}

function timeText(ms: number): string {
  return ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`;
}
