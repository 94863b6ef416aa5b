import { createElement, Suspense } from 'react';
import { prerender } from 'react-dom/static.edge';
import { expect, test } from 'vitest';
import { loadFailedPartsAgain, loadPart } from './load-part.ts';

async function drawn(part: () => unknown): Promise<string> {
  const element = createElement(Suspense, null, createElement(part as () => null));
  const errors: unknown[] = [];
  const { prelude } = await prerender(element, { onError: (error) => void errors.push(error) });
  return errors.length > 0 ? String(errors[0]) : await new Response(prelude).text();
}

test('a part that could not be loaded is loaded again after loadFailedPartsAgain, and not before', async () => {
  let loads = 0;
  let isReachable = false;
  const part = loadPart(async () => {
    loads++;
    if (!isReachable) throw new TypeError('Failed to fetch');
    return { default: () => 'Rows' };
  }) as () => unknown;
  expect(await drawn(part)).toContain('Failed to fetch');
  isReachable = true;
  expect(await drawn(part)).toContain('Failed to fetch');
  expect(loads).toBe(1);
  loadFailedPartsAgain();
  expect(await drawn(part)).toContain('Rows');
  expect(await drawn(part)).toContain('Rows');
  expect(loads).toBe(2);
});
