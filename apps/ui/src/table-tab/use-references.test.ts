import { expect, test } from 'vitest';
import { latestTargets, linksOf } from './use-references.tsx';

test('a row with an empty title can be opened, and a row that is gone cannot', () => {
  const value = { beacon: 'weaviate://localhost/A/1' };
  const target = { table: 'A', key: { uuid: '1' }, title: '', value };
  const targets = (title: string | null) => new Map([[JSON.stringify(value), { ...target, title }]]);
  expect(linksOf([value], targets(''))?.[0]?.target).toEqual(target);
  expect(linksOf([value], targets(null))?.[0]?.target).toBeNull();
});

test('the titles of a column stay while the targets of an edited cell load', () => {
  const at = { connectionId: 'c', table: 't', column: 'ref' };
  const loaded = new Map();
  const latest = latestTargets();
  expect(latest(at, undefined)).toEqual(new Map());
  expect(latest(at, loaded)).toBe(loaded);
  expect(latest(at, undefined)).toBe(loaded);
  expect(latest({ ...at, partition: 'other' }, undefined)).not.toBe(loaded);
});
