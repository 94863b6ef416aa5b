import { type Frame, MapBuilder } from './build-map.ts';

/** Messages to the worker: the dimensions, then vectors as they are read, then `end`. */
export type ToWorker = { dimensions: number } | { vectors: Float32Array } | { end: true };
export type FromWorker = Frame;

let builder: MapBuilder | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('dimensions' in data) builder = new MapBuilder(data.dimensions);
  else if ('vectors' in data) send(builder?.add(data.vectors));
  else builder?.finish(send);
});

function send(frame: Frame | undefined): void {
  if (frame) self.postMessage(frame, { transfer: [frame.positions.buffer] });
}
