import type { CopyFormat } from './clipboard.ts';
import { canPass } from './column-actions.ts';
import { covered, type GridActions, type GridContext } from './grid-actions.ts';
import type { PlacedColumn } from './layout.ts';
import { cellOf, type GridModel, refusalOf } from './model.ts';
import { isSingle, type Selection } from './navigation.ts';

export interface GridMenuItem {
  label: string;
  /** Why the action is not available now, or more about the action. */
  detail?: string;
  shortcut?: string;
  disabled?: boolean;
  danger?: boolean;
  run(): void;
}

/** The actions on the selection, in groups. An action is left out if `props` lacks its callback. */
export function menuGroups(
  at: Pick<GridContext, 'props' | 'model'> & {
    selection: Selection;
    actions: GridActions;
    copy(format: CopyFormat): void;
    paste(): void;
    /** `fit`: as wide as the values; null: the automatic width. */
    onWidth(column: number, width: 'fit' | null): void;
    onFitAll(): void;
  },
): GridMenuItem[][] {
  return (at.selection.active.row < 0 ? headerItems(at) : cellItems(at)).filter((group) => group.length > 0);
}

/** Whether the menu has entries. On a page without rows, only a header has a menu. */
export function hasMenu(model: GridModel, { active }: Selection): boolean {
  return active.row < model.lines.length && model.columns[active.column] !== undefined;
}

type At = Parameters<typeof menuGroups>[0];

function headerItems(at: At): GridMenuItem[][] {
  const { props, model, selection, actions } = at;
  const index = selection.active.column;
  const column = model.columns[index];
  if (!column) return [];
  const { columnActs: acts } = props;
  const canMove = (by: 1 | -1) => canPass(column, model.columns[index + by]);
  return [
    [...(props.onSort ? sortItems(at, column) : []), ...filterItems(at, column)],
    acts?.summarise && !column.isFixed && column.type !== 'vector'
      ? [{ label: 'Summarise…', run: () => acts.summarise?.(column.name) }]
      : [],
    acts && !column.isFixed
      ? [
          {
            label: column.isPinSet ? 'Unpin column' : 'Pin column',
            run: () => actions.pinColumn(index, !column.isPinSet),
          },
          { label: 'Move left', disabled: !canMove(-1), run: () => actions.moveColumn(index, -1) },
          { label: 'Move right', disabled: !canMove(1), run: () => actions.moveColumn(index, 1) },
        ]
      : [],
    [
      { label: 'Fit width', run: () => at.onWidth(index, 'fit') },
      { label: 'Fit all columns', run: at.onFitAll },
      { label: 'Reset width', run: () => at.onWidth(index, null) },
      { label: 'Select column', run: () => actions.selectColumn(index) },
    ],
    acts
      ? [
          {
            label: 'Hide column',
            disabled: model.columns.length === 1 || column.isFixed,
            run: () => actions.hideColumn(index),
          },
          {
            label: 'Columns…',
            ...(acts.hiddenCount > 0 && { detail: `${acts.hiddenCount.toLocaleString('en')} hidden` }),
            run: acts.choose,
          },
          { label: 'Reset columns', disabled: !acts.reset, run: () => acts.reset?.() },
        ]
      : [],
  ];
}

/** A column that a search adds cannot be filtered. */
function filterItems({ props }: Pick<At, 'props'>, { name, isFixed }: PlacedColumn): GridMenuItem[] {
  return props.onFilter && !isFixed ? [{ label: 'Filter…', run: () => props.onFilter?.(name) }] : [];
}

function sortItems({ model, selection, actions }: At, column: PlacedColumn): GridMenuItem[] {
  const index = selection.active.column;
  if (column.unsortable) {
    return [{ label: 'Sort', detail: column.unsortable, disabled: true, run: () => {} }];
  }
  const sortedBy = model.columns.filter((other) => other.sort && other !== column);
  const item = (label: string, order: 'asc' | 'desc', add: boolean): GridMenuItem => ({
    label,
    disabled: column.sort === order && (add || sortedBy.length === 0),
    run: () => actions.sort(index, { order, add }),
  });
  const adds = column.sort ? 'Sort' : 'Then sort';
  return [
    item('Sort ascending', 'asc', false),
    item('Sort descending', 'desc', false),
    ...(sortedBy.length > 0
      ? [
          item(`${adds} ascending, others kept`, 'asc', true),
          item(`${adds} descending, others kept`, 'desc', true),
        ]
      : []),
    {
      label: sortedBy.length > 0 ? 'Remove from the sort' : 'Clear sort',
      disabled: !column.sort,
      run: () => actions.sort(index, { order: null, add: true }),
    },
  ];
}

/** The menu lists only the first few references, because a cell may point to hundreds of rows. */
function referenceItems(actions: GridActions): GridMenuItem[] {
  return actions
    .references()
    .slice(0, 5)
    .map(({ title, target }, index) => ({
      label: `Open ${title}`,
      disabled: target === null,
      run: () => actions.openReference(index),
    }));
}

function rowsText(count: number): string {
  return count === 1 ? 'row' : `${count.toLocaleString('en')} rows`;
}

function cellItems({ props, model, selection, actions, copy, paste }: At): GridMenuItem[][] {
  const { lines } = covered(model, selection);
  const column = model.columns[selection.active.column];
  const line = model.lines[selection.active.row];
  if (!column || !line) return [];
  const cell = cellOf(model, selection.active.row, column);
  const locked = props.readOnly !== undefined;
  const rows = rowsText(lines.length);
  const deleted = lines.filter((index) => model.lines[index]?.state === 'deleted');
  const isStored = lines.some((index) => model.lines[index]?.state !== 'inserted');
  const single = isSingle(selection);
  // In a range, some cells may accept the edit. So only a read-only grid disables the edits of a range.
  const refused = single ? refusalOf(model, selection.active.row, column, props.readOnly) !== null : locked;
  return [
    [
      { label: 'Copy', shortcut: 'Mod+C', run: () => copy('text') },
      { label: 'Copy with headers', run: () => copy('headers') },
      { label: 'Copy as JSON', run: () => copy('json') },
      { label: 'Copy as Markdown', run: () => copy('markdown') },
      ...(props.onPaste ? [{ label: 'Paste', shortcut: 'Mod+V', disabled: locked, run: paste }] : []),
      ...(props.onExportRows
        ? [{ label: `Export ${rows}…`, disabled: !isStored, run: () => props.onExportRows?.() }]
        : []),
    ],
    props.onEdit
      ? [
          { label: 'Edit', shortcut: 'Enter', disabled: refused, run: () => actions.edit() },
          {
            label: 'Edit in a larger field',
            shortcut: 'Shift+Enter',
            run: () => actions.edit({ large: true }),
          },
          {
            label: 'Fill down',
            shortcut: 'Mod+D',
            disabled: locked,
            run: () => actions.fillDown(),
          },
          {
            label: 'Set NULL',
            shortcut: 'Mod+Backspace',
            disabled: refused || (single && column.nullable === false),
            run: () => actions.setNull(),
          },
          {
            label: 'Set empty text',
            disabled: refused || (single && column.type !== 'text' && column.type !== 'any'),
            run: () => actions.setEmpty(),
          },
        ]
      : [{ label: 'Show value', shortcut: 'Shift+Enter', run: () => actions.edit({ large: true }) }],
    props.onOpenReference ? referenceItems(actions) : [],
    [
      ...(props.onFilterBy && cell !== undefined && !column.isFixed
        ? [{ label: 'Filter by this value', run: () => props.onFilterBy?.(column.name, cell) }]
        : []),
      ...filterItems({ props }, column),
      ...(props.onFindSimilar
        ? [
            {
              label: 'Find similar',
              shortcut: 'Mod+E',
              disabled: line.at === undefined,
              run: () => props.onFindSimilar?.(selection.active.row),
            },
          ]
        : []),
    ],
    [
      ...(props.onInsertRow
        ? [{ label: 'Add row', shortcut: 'Mod+I', disabled: locked, run: () => props.onInsertRow?.() }]
        : []),
      ...(props.onDuplicateRows
        ? [
            {
              label: `Duplicate ${rows}`,
              shortcut: 'Shift+Mod+D',
              disabled: locked,
              run: () => actions.duplicateRows(),
            },
          ]
        : []),
      ...(props.onRestoreRows && deleted.length > 0
        ? [{ label: `Keep ${rowsText(deleted.length)}`, run: () => props.onRestoreRows?.(deleted) }]
        : []),
      ...(props.onDeleteRows && deleted.length < lines.length
        ? [
            {
              label: `Delete ${rowsText(lines.length - deleted.length)}`,
              shortcut: 'Delete',
              danger: true,
              disabled: locked,
              run: () => actions.deleteRows(),
            },
          ]
        : []),
    ],
  ];
}
