import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyWorkspace } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { records } from '../shared/records/record-hub.ts';
import { layoutRecord, withOwnLayout } from './layout-record.ts';
import { layoutKey, layoutOf } from './workspace-records.ts';

const layout = (current: string | null) => layoutOf({ ...emptyWorkspace, open: ['a', 'b'], current });
const stored = (current: string) => [{ key: layoutKey, version: 1, value: layout(current) }];
let session: Map<string, string>;

beforeEach(async () => {
  session = new Map();
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => session.set(key, value),
  });
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  vi.stubGlobal('fetch', async () => Response.json({ result: { data: stored('a') } }));
  await records.load();
  useWorkspace.setState({ ...emptyWorkspace, open: ['a', 'b'], current: 'a' }, true);
});

afterEach(() => {
  records.disown(layoutKey);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a window that changed nothing keeps its layout on reload, although another window stored its own', () => {
  layoutRecord().follow();
  expect(withOwnLayout(stored('b'))).toEqual(stored('a'));
});

test('on reload, a window keeps its layout, even if it changed the layout and changed it back before a write', () => {
  const record = layoutRecord();
  for (const current of ['b', 'a']) {
    workspace.showConnection(current);
    record.follow();
  }
  expect(withOwnLayout(stored('b'))).toEqual(stored('a'));
});
