import type { Manifest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { DriverDetails, ListedDriver } from '../../data/api/api-types.ts';
import { driverChoices } from './driver-choices.ts';

const manifest = (id: string, kind?: 'vector') =>
  ({ id, name: id, summary: `About ${id}`, kind }) as Manifest;
const installed = (id: string) => ({ manifest: manifest(id), bundled: true }) as DriverDetails;
const listed = (id: string, unavailable: string | null = null) =>
  ({ manifest: manifest(id, 'vector'), publisher: { name: 'Example' }, unavailable }) as ListedDriver;
const names = (text = '') =>
  driverChoices([installed('files'), installed('also')], [listed('vectors'), listed('files')], text).map(
    ({ manifest: { id }, download }) => `${id}${download ? ' download' : ''}`,
  );

test('vector databases come first, and an installed driver is offered once', () => {
  expect(names()).toEqual(['vectors download', 'also', 'files']);
});

test('each choice shows the id and the publisher, since two names may look the same', () => {
  const choices = driverChoices([installed('files')], [listed('vectors')], '');
  expect(choices.map(({ source }) => source)).toEqual([
    'vectors · From Example',
    'files · Ships with Trestle',
  ]);
});

test('a search matches the summary, in upper or lower case', () => {
  expect(names('ABOUT VEC')).toEqual(['vectors download']);
  expect(names('nothing')).toEqual([]);
});

test('the choice of a driver that cannot be installed here says why', () => {
  expect(driverChoices([], [listed('vectors', 'made for desktop')], '')[0]?.unavailable).toBe(
    'made for desktop',
  );
});
