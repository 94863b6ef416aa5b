import { basename } from 'node:path';
import type { Logger } from 'pino';
import { type SetAside, setAsideKey } from '../storage/rescue.ts';
import { runningSaves } from '../storage/rescued-tables.ts';
import type { Damage, UiState } from '../types.ts';

const key = 'damage';

/**
 * Stores a message about damaged data until the user dismisses the message. A command may have opened the core, and a
 * command has no window to show the message.
 */
export function noteDamage(options: {
  home: string;
  /** The damaged `trestle.db` that was set aside, or null. */
  setAside: SetAside | null;
  /** Damaged entries inside `trestle.db`, in words for the user. */
  rows: string[];
  uiState: UiState;
  log: Logger;
}): Damage {
  const { home, setAside, rows, uiState, log } = options;
  const sentences = [
    ...(setAside === null ? [] : [fileWords(home, setAside)]),
    ...(rows.length === 0
      ? []
      : [
          `Damaged entries of trestle.db were set aside: ${rows.join(', ')}. Check these, and restore what is missing.`,
        ]),
  ];
  const found = sentences.length > 0 ? sentences.join(' ') : null;
  if (found !== null) {
    log.error({ setAside, rows }, found);
    // A message that the user has not dismissed stays. After a kill, the next start may find the same damage again.
    // The sentence about this damage must not be added twice.
    const before = textOf(uiState.get(key)) ?? '';
    const added = sentences.filter((sentence) => !before.includes(sentence));
    uiState.set(key, [before, ...added].filter(Boolean).join(' '));
    // `setAsideKey` is cleared only now: after a kill before this line, the next start must still report the damage.
    uiState.set(setAsideKey, null);
  }
  return {
    found,
    unread: () => textOf(uiState.get(key)),
    dismiss: () => uiState.set(key, null),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function fileWords(home: string, { movedTo, rescued }: SetAside): string {
  // An earlier version stored no list of losses.
  const { connections, lost = [] } = rescued;
  const taken =
    connections === 0
      ? 'no connection could be read from the damaged file.'
      : `${connections} ${connections === 1 ? 'connection was' : 'connections were'} taken over, closed to external clients until you change External Clients in the connection editor.`;
  const missing =
    lost.length === 0 ? '' : ` Some entries of the damaged file could not be taken over: ${lost.join(', ')}.`;
  const unsure = lost.includes(runningSaves)
    ? ' A save that was running may have stored its rows: look for them before you save them again.'
    : '';
  return `trestle.db was damaged. It was set aside as ${basename(movedTo)} in ${home}, and Trestle began a new one: ${taken}${missing}${unsure} Tokens and the earlier activity log were not taken over. To get them back, stop Trestle and replace trestle.db with a backup.`;
}
