import { dirname, resolve } from 'node:path';
import { importsOf } from './import-table.ts';

/** The circles of imports among these files, types included. */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  return circlesIn(sources.keys(), (file) =>
    importsOf(sources.get(file) ?? '')
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => resolve(dirname(file), from))
      .filter((target) => sources.has(target)),
  );
}

/**
 * Each circle is a list of nodes that lead to one another, directly or indirectly. Found with Tarjan's algorithm for
 * strongly connected components.
 */
export function circlesIn(nodes: Iterable<string>, targets: (node: string) => string[]): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): number {
    const own = order.size;
    order.set(node, own);
    let low = own;
    open.push(node);
    for (const target of targets(node)) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target)!);
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  }

  for (const node of nodes) if (!order.has(node)) visit(node);
  return circles;
}
