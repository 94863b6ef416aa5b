import { cellAt } from '@trestle/driver-kit';
import type { ExportBody } from '../panels/export/export-api.ts';
import type { RowsChoice } from '../panels/export/index.ts';
import type { TableLine } from './table-lines.ts';
import type { ShownPage } from './use-page.ts';

/** Rows of the grid that are stored in the database. New rows cannot be exported. */
export function storedLines(lines: TableLine[]): TableLine[] {
  return lines.filter(({ state }) => state !== 'inserted');
}

/**
 * The selected lines that are still shown. Rows without a key, such as those of a view, are left out, because an export
 * finds selected rows by key.
 */
export function selectedLines(lines: TableLine[], selected: TableLine[]): TableLine[] {
  const ids = new Set(selected.map(({ id }) => id));
  return storedLines(lines).filter(({ id, key }) => key !== null && ids.has(id));
}

/**
 * The rows that an export reads. Rows on the page are named by their keys, so that the file contains no other
 * rows. If a row has no key, the page is read again by its offset.
 */
export function exportedRows(
  chosen: RowsChoice,
  shown: ShownPage | null,
  { lines, selected }: { lines: TableLine[]; selected: TableLine[] },
): ExportBody['rows'] {
  if (!shown || chosen === 'all' || chosen === 'matching') return { kind: 'all' };
  const wanted = storedLines(chosen === 'selection' ? selected : lines);
  const keys = wanted.map(({ key }) => key).filter((key) => key !== null);
  if (keys.length < wanted.length) {
    const { limit, offset } = shown.request;
    return { kind: 'page', limit, offset };
  }
  const { rows } = shown.page;
  const measures = rows.columns.flatMap(({ name, type, nativeType, isMeasure }, index) =>
    isMeasure ? [{ index, head: { name, type, nativeType } }] : [],
  );
  return {
    kind: 'keys',
    keys,
    computed: {
      columns: measures.map(({ head }) => head),
      cells: measures.map(({ index }) =>
        wanted.map(({ at }) => (at === undefined ? null : cellAt(rows, index, at))),
      ),
    },
  };
}
