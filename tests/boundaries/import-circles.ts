import { dirname, resolve } from 'node:path';
import { importsOf } from './import-table.ts';

/**
 * The circles of imports among these files, types included. Each circle is a list of files that import one another,
 * directly or indirectly. Found with Tarjan's algorithm for strongly connected components.
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const targets = (file: string) =>
    importsOf(sources.get(file) ?? '')
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => resolve(dirname(file), from))
      .filter((target) => sources.has(target));
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): number {
    const own = order.size;
    order.set(file, own);
    let low = own;
    open.push(file);
    for (const target of targets(file)) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target)!);
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  }

  for (const file of sources.keys()) if (!order.has(file)) visit(file);
  return circles;
}
