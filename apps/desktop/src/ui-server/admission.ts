import { createHash, randomBytes } from 'node:crypto';
import { createCodeLimit, looksLikeCode, newCode, readCode } from './one-time-code.ts';

/**
 * How a window came in. `window`: the app itself opened it on the user's screen, or the browser read the link from a
 * file that only its owner can read. It counts as the person, since it shows on the person's screen: a program that
 * does the same is seen. `link`: somebody typed a printed link or code. Every program that can run `trestle` gets
 * those too, unseen, so the gravest acts want the administrator passphrase there.
 */
export type WindowDoor = 'window' | 'link';

/** A browser that came in. All its pages share one key, since they share one origin. */
export interface AdmittedWindow {
  readonly door: WindowDoor;
  /** Whether the person sits there: the app opened it, or the administrator passphrase was typed. */
  isPerson(): boolean;
  unlock(): void;
  /** Fires when the key ends. */
  readonly ended: AbortSignal;
}

/** Decides who may use the window's listener. Nothing is kept on disk: every key ends with the app. */
export interface Admission {
  /** A secret for one entry. */
  createKey(door: WindowDoor, options?: { lifeMs?: number; onUsed?: () => void }): string;
  /** The same, short enough to be typed. It always counts as a link. */
  createCode(): string;
  /** The window's key for a one-time key or code, which is then used up. */
  redeem(proof: string): { key: string } | { refused: 'unknown' | 'tooMany' };
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
  const codeTries = createCodeLimit(now);

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
      // A key has 256 random bits and needs no limit. A stranger's guesses at a code must not block a link.
      const isCode = looksLikeCode(proof);
      if (isCode && !codeTries.take()) return { refused: 'tooMany' };
      const id = digest(isCode ? readCode(proof) : proof);
      const entry = entries.get(id);
      entries.delete(id);
      if (!entry || entry.until <= now()) return { refused: 'unknown' };
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

/** Looking a digest up tells nothing about the value by its timing. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
