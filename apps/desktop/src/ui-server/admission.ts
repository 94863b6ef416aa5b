import { createHash, randomBytes } from 'node:crypto';
import { looksLikeCode, newCode, readCode } from './one-time-code.ts';

/**
 * How a window was admitted. `window`: the app itself opened it on the user's screen, or the browser read the link
 * from a file that other users cannot read. Such a window counts as the person. `link`: the browser used a printed link
 * or code. Any program that can run `trestle` can get a link unseen. So in such a window, the most dangerous acts also
 * need the administrator passphrase.
 */
export type WindowDoor = 'window' | 'link';

/** An admitted browser. All its pages share one key, since they share one origin. */
export interface AdmittedWindow {
  readonly door: WindowDoor;
  /** Whether this window counts as the person: its door is `window`, or `unlock` was called. */
  isPerson(): boolean;
  /** Call it after the user typed the administrator passphrase in this window. */
  unlock(): void;
  /** Fires when the window's key ends. */
  readonly ended: AbortSignal;
}

/** Decides who may use the window's listener. It stores nothing on disk, so every key ends with the app. */
export interface Admission {
  /** A secret that admits one browser. */
  createKey(door: WindowDoor, options?: { lifeMs?: number; onUsed?: () => void }): string;
  /** A secret like that of `createKey`, but short enough to type. It always counts as a link. */
  createCode(): string;
  /** Exchanges a one-time key or code for the window's key. Undefined if the proof is not valid. */
  redeem(proof: string): { key: string } | undefined;
  find(key: string | undefined): AdmittedWindow | undefined;
  /** Ends every window, link and code. */
  endAll(): void;
}

/** Long enough to copy an address from one screen to another. */
const linkLifeMs = 10 * 60_000;
const maxWindows = 50;

interface Entry {
  door: WindowDoor;
  until: number;
  onUsed?: () => void;
}

export function createAdmission({
  now = Date.now,
  onEntered,
}: {
  now?: () => number;
  onEntered?: (door: WindowDoor) => void;
} = {}): Admission {
  const entries = new Map<string, Entry>();
  const windows = new Map<string, AdmittedWindow & { end(): void }>();

  function add(secret: string, entry: Entry): void {
    for (const [key, { until }] of entries) if (until <= now()) entries.delete(key);
    entries.set(digest(secret), entry);
  }

  function admit(door: WindowDoor): string {
    const key = randomBytes(32).toString('base64url');
    const controller = new AbortController();
    let isPerson = door === 'window';
    windows.set(digest(key), {
      door,
      isPerson: () => isPerson,
      unlock: () => {
        isPerson = true;
      },
      ended: controller.signal,
      end: () => controller.abort(),
    });
    const [oldest] = windows;
    if (windows.size > maxWindows && oldest) {
      windows.delete(oldest[0]);
      oldest[1].end();
    }
    return key;
  }

  return {
    createKey(door, { lifeMs = linkLifeMs, onUsed } = {}) {
      const key = randomBytes(32).toString('base64url');
      add(key, { door, until: now() + lifeMs, onUsed });
      return key;
    },
    createCode() {
      const code = newCode();
      add(readCode(code), { door: 'link', until: now() + linkLifeMs });
      return code;
    },
    redeem(proof) {
      const id = digest(looksLikeCode(proof) ? readCode(proof) : proof);
      const entry = entries.get(id);
      entries.delete(id);
      if (!entry || entry.until <= now()) return undefined;
      entry.onUsed?.();
      onEntered?.(entry.door);
      return { key: admit(entry.door) };
    },
    find: (key) => (key === undefined ? undefined : windows.get(digest(key))),
    endAll() {
      entries.clear();
      const ended = [...windows.values()];
      windows.clear();
      for (const window of ended) window.end();
    },
  };
}

/** Secrets are looked up by digest, so the timing of a lookup does not help to guess them. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
