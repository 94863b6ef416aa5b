import type { CoreEvent, PendingApproval, Presence } from '@trestle/core';
import { expect, test } from 'vitest';
import { createAsking } from './asking.ts';
import type { Shown } from './window.ts';

const screen = { DISPLAY: ':0' };

function setUp(env: NodeJS.ProcessEnv, { shows = 'window' }: { shows?: Shown | Error } = {}) {
  let presence: Presence = 'none';
  let pending: PendingApproval[] = [];
  let listener: (event: CoreEvent) => void = () => {};
  const shown: NodeJS.ProcessEnv[] = [];
  const reported: unknown[] = [];
  const asking = createAsking(
    {
      approvals: {
        pending: () => pending,
        granted: () => [],
        withdraw() {},
        answer() {},
        presence: () => presence,
        setPresence: (to) => {
          presence = to;
        },
      },
      events: {
        on(added) {
          listener = added;
          return () => {};
        },
        emit() {},
      },
    },
    (error) => reported.push(error),
    env,
  );
  return {
    asking,
    reported,
    shown,
    presence: () => presence,
    attach: () =>
      asking.attach({
        async show(from) {
          shown.push(from);
          if (shows instanceof Error) throw shows;
          return shows;
        },
        isOpen: () => true,
      }),
    ask(askedAt = new Date()) {
      pending = [{ askedAt: askedAt.toISOString() } as PendingApproval];
      listener({ type: 'approvalsChanged' });
      if (presence === 'canOpen') listener({ type: 'attentionNeeded' });
    },
  };
}

test.runIf(process.platform === 'linux')('without a screen nobody can be asked until a page is open', () => {
  const { asking, presence, attach } = setUp({});
  attach();
  expect(presence()).toBe('none');
  asking.pageOpened();
  expect(presence()).toBe('window');
  asking.pagesGone(new Date());
  expect(presence()).toBe('none');
});

test('a window opens for a question that came before windows could open', async () => {
  const { attach, ask, shown, presence } = setUp(screen);
  expect(presence()).toBe('canOpen');
  ask();
  expect(shown).toEqual([]);
  attach();
  expect(shown).toEqual([screen]);
});

test('a window that fails to open is reported, and nobody can be asked', async () => {
  const full = new Error('ENOSPC: no space left on device');
  const { attach, ask, presence, reported } = setUp(screen, { shows: full });
  attach();
  ask();
  await expect.poll(presence).toBe('none');
  expect(reported).toEqual([full]);
});

test('if no window opens, nobody can be asked', async () => {
  const { attach, ask, presence } = setUp(screen, { shows: 'nothing' });
  attach();
  ask();
  await expect.poll(presence).toBe('none');
});

test('an open window comes to the front for the first of several questions', () => {
  const { asking, attach, ask, shown } = setUp(screen);
  attach();
  asking.pageOpened();
  ask();
  ask();
  expect(shown).toHaveLength(1);
});

test('a question that comes after the last page closed opens a window; one that a page has shown does not', () => {
  const seen = setUp(screen);
  seen.attach();
  seen.asking.pageOpened();
  const closed = new Date(Date.now() + 1000);
  seen.ask(new Date(closed.getTime() - 10));
  seen.asking.pagesGone(closed);
  expect(seen.shown).toHaveLength(1);

  const missed = setUp(screen);
  missed.attach();
  missed.asking.pageOpened();
  missed.ask(new Date(closed.getTime() + 10));
  missed.asking.pagesGone(closed);
  expect(missed.shown).toHaveLength(2);
});

test('after a launch from another screen, windows open there', () => {
  const { asking, attach, ask, shown, presence } = setUp({});
  attach();
  asking.shown(screen, 'window');
  expect(presence()).toBe('canOpen');
  ask();
  expect(shown).toEqual([screen]);
});
