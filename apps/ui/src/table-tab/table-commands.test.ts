import { expect, test, vi } from 'vitest';
import { tableCommands } from './table-commands.ts';
import type { TableOffers } from './table-parts.ts';
import { createTableStore } from './table-store.ts';

test.each(['rows', 'structure', 'map'] as const)(
  'the palette offers the import in the view “%s”',
  (shows) => {
    const onImport = vi.fn();
    const commands = commandsOf({ onImport }, shows);
    commands.find(({ id }) => id === 'import')?.run();
    expect(onImport).toHaveBeenCalledOnce();
  },
);

test('the palette offers no import into a table that accepts no rows', () => {
  const ids = (['rows', 'structure'] as const).flatMap((shows) =>
    commandsOf({ onImport: undefined }, shows).map(({ id }) => id),
  );
  expect(ids).not.toContain('import');
  expect(ids).toContain('reload');
});

test.each(['rows', 'structure', 'map'] as const)(
  'the palette offers to save and discard staged edits in the view “%s”',
  (shows) => {
    const ids = commandsOf({ onImport: undefined }, shows, { total: 1, progress: null }).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['undo', 'save', 'discard']));
  },
);

test('during a save, the palette does not offer to discard the changes', () => {
  const offered = (progress: object | null) =>
    commandsOf({ onImport: undefined }, 'rows', { total: 1, progress }).map(({ id }) => id);
  expect(offered(null)).toEqual(expect.arrayContaining(['save', 'discard']));
  expect(offered({ done: 0, total: 1 })).not.toContain('discard');
});

function commandsOf(
  { onImport }: Pick<TableOffers, 'onImport'>,
  shows: 'rows' | 'structure' | 'map',
  { total, progress }: { total: number; progress: object | null } = { total: 0, progress: null },
) {
  const store = createTableStore({ shows, partition: 'acme' }, 100);
  const input = {
    tab: { store, description: { columns: [], key: ['id'] } },
    view: { asked: { filters: [], search: null }, reload: () => {} },
    rights: { can: () => true },
    staging: { staged: { canUndo: total > 0, canRedo: false, counts: { total } }, save: { progress } },
    columns: { acts: {} },
    offers: { onImport },
    actions: {},
    saves: {},
    onRows: shows === 'rows',
  };
  return tableCommands(input as unknown as Parameters<typeof tableCommands>[0]);
}
