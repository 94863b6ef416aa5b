import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useReach } from './events.ts';
import { reloadForNewBuild } from './new-build.ts';

const reload = vi.fn();

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
  useReach.setState({ reach: 'connecting' });
});

test('if a part of the page cannot be loaded, the page reloads, but not a second time right after', () => {
  useReach.setState({ reach: 'connected' });
  reloadForNewBuild();
  reloadForNewBuild();
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each(['lost', 'refused'] as const)(
  'a page whose connection to the app is %s does not reload',
  (reach) => {
    useReach.setState({ reach });
    reloadForNewBuild();
    expect(reload).not.toHaveBeenCalled();
  },
);
