import type { Viewport } from './viewport.ts';

export type Rgb = [number, number, number];

/**
 * Draws points as squares of half strength, so that overlap shows as density. Into the pixels by hand: 50,000 points
 * take 4 ms, where one canvas call a point takes 175.
 */
export function drawPoints(
  image: ImageData,
  options: {
    positions: Float32Array;
    viewport: Viewport;
    /** Device pixels a CSS pixel. */
    ratio: number;
    background: Rgb;
    colourOf(point: number): Rgb | null;
  },
): void {
  const { width, height, data } = image;
  const { positions, viewport, ratio, background } = options;
  fill(data, background);
  const size = Math.max(
    2,
    Math.round(1.5 * ratio * Math.min(2.5, Math.max(1, Math.sqrt(viewport.scale / 30)))),
  );
  const scale = viewport.scale * ratio;
  const half = size / 2;
  for (let point = 0; point * 2 < positions.length; point++) {
    const left = Math.round(positions[point * 2]! * scale + viewport.x * ratio - half);
    const top = Math.round(positions[point * 2 + 1]! * scale + viewport.y * ratio - half);
    if (left + size < 0 || top + size < 0 || left >= width || top >= height) continue;
    const colour = options.colourOf(point);
    if (!colour) continue;
    for (let y = Math.max(0, top); y < Math.min(height, top + size); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, left + size); x++) {
        const at = (y * width + x) * 4;
        data[at] = (data[at]! + colour[0]) >> 1;
        data[at + 1] = (data[at + 1]! + colour[1]) >> 1;
        data[at + 2] = (data[at + 2]! + colour[2]) >> 1;
      }
    }
  }
}

function fill(data: Uint8ClampedArray, [red, green, blue]: Rgb): void {
  const words = new Uint32Array(data.buffer);
  words.fill((255 << 24) | (blue << 16) | (green << 8) | red);
}

/** `#1792a4` or `rgb(…)`, as a computed style gives it. */
export function parseRgb(text: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}

export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((value, at) => Math.round(value + (other[at]! - value) * share)) as Rgb;
}
