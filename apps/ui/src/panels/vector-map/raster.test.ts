import { expect, test } from 'vitest';
import { drawPoints, parseRgb, pointSize } from './raster.ts';

const white: [number, number, number] = [255, 255, 255];
const viewport = { scale: 1, x: 0, y: 0 };

function image(width: number, height: number): ImageData {
  return { width, height, data: new Uint8ClampedArray(width * height * 4) } as ImageData;
}

/** The red of a pixel: 255 where nothing was drawn. */
const redAt = ({ data, width }: ImageData, x: number, y: number) => data[(y * width + x) * 4]!;

test('a point is drawn where it lies, and two points over each other are darker than one', () => {
  const one = image(40, 40);
  const options = {
    viewport,
    ratio: 1,
    background: white,
    colourOf: () => [0, 0, 0] as [number, number, number],
  };
  drawPoints(one, { ...options, positions: new Float32Array([20, 20]) });
  expect(redAt(one, 20, 20)).toBeLessThan(100);
  expect(redAt(one, 2, 2)).toBe(255);
  const two = image(40, 40);
  drawPoints(two, { ...options, positions: new Float32Array([20, 20, 20, 20]) });
  expect(redAt(two, 20, 20)).toBeLessThan(redAt(one, 20, 20));
});

test('points beyond the edge and hidden points are not drawn', () => {
  const empty = image(10, 10);
  const options = { viewport, ratio: 1, background: white };
  drawPoints(empty, { ...options, positions: new Float32Array([-50, 5, 5, 500]), colourOf: () => [0, 0, 0] });
  drawPoints(empty, { ...options, positions: new Float32Array([5, 5]), colourOf: () => null });
  expect(empty.data.every((value) => value === 255)).toBe(true);
});

test('few points are drawn large, many points small', () => {
  expect(pointSize(100)).toBeGreaterThan(8);
  expect(pointSize(50_000)).toBe(1.5);
});

test('colours are read in both forms: rgb(…) and #…', () => {
  expect(parseRgb('rgb(23, 146, 164)')).toEqual([23, 146, 164]);
  expect(parseRgb('#1792a4')).toEqual([23, 146, 164]);
});
