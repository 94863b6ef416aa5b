import type { Logger } from 'pino';
import { unpackEdits } from '../staged-edits/packed-edits.ts';
import type { StagedEdits } from '../staged-edits/staged-edits.ts';
import type { Storage } from '../storage/storage.ts';
import type { StagedLists } from './staged-lists.ts';

/**
 * Takes over the staged edits of earlier versions: at first, the view of a table's tab had them, in the one record of
 * the workspace. Later each table had a record `staged/<connection>/["<table>","<partition>"]`. A record that cannot be
 * read stays.
 */
export function takeOverRecords(storage: Storage, lists: StagedLists, log: Logger): void {
  const records = storage.all(
    "SELECT key, value FROM window_records WHERE key LIKE 'staged/%' OR key = 'workspace'",
  );
  for (const { key, value } of records) {
    try {
      const record: unknown = JSON.parse(String(value));
      if (key === 'workspace') takeOverTabs(storage, lists, record as OldWorkspace);
      else takeOverTable(storage, lists, { key: String(key), record });
    } catch (error) {
      log.error({ problem: String(error) }, 'Staged edits of an earlier version could not be taken over');
    }
  }
}

function takeOverTable(
  storage: Storage,
  lists: StagedLists,
  { key, record }: { key: string; record: unknown },
): void {
  const [, connectionId = '', names = ''] = /^staged\/([^/]+)\/(.*)$/s.exec(key) ?? [];
  const [table, partition] = JSON.parse(names) as [string, string | null];
  const edits = unpack((record as { packed?: unknown } | null)?.packed);
  lists.adopt({ connectionId, table, ...(partition !== null && { partition }) }, edits, () =>
    storage.run('DELETE FROM window_records WHERE key = ?', key),
  );
}

/** Removes the edits from the tabs, so the workspace is not read for them again. */
function takeOverTabs(storage: Storage, lists: StagedLists, workspace: OldWorkspace): void {
  for (const [connectionId, { list }] of Object.entries(workspace.tabs)) {
    for (const { table = '', view } of list) {
      if (typeof view?.staged !== 'string') continue;
      const { staged, partition } = view;
      const edits = unpack(staged);
      delete view.staged;
      delete view.stagedCount;
      lists.adopt({ connectionId, table, ...(partition !== undefined && { partition }) }, edits, () =>
        storage.run("UPDATE window_records SET value = ? WHERE key = 'workspace'", JSON.stringify(workspace)),
      );
    }
  }
}

interface OldWorkspace {
  tabs: Record<
    string,
    {
      list: {
        table?: string;
        view?: { staged?: unknown; stagedCount?: unknown; partition?: string } | null;
      }[];
    }
  >;
}

function unpack(packed: unknown): StagedEdits {
  const edits = typeof packed === 'string' ? unpackEdits(Buffer.from(packed, 'base64')) : null;
  if (!edits) throw new Error('unreadable');
  return edits;
}
