import type { Design, DesignField, DesignPart, DesignProblem } from '@trestle/driver-kit';
import { CornerDownRight, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import {
  canNest,
  fieldValue,
  isShown,
  type ListedItem,
  listed,
  type Path,
  problemsAt,
  withItemField,
  withMovedItem,
  withNewItem,
  withoutItem,
} from './design-edits.ts';
import { CellField, LabelledField } from './field-control.tsx';
import styles from './table-design.module.css';

interface GridProps {
  connectionId: string;
  design: Design;
  part: DesignPart;
  problems: DesignProblem[];
  onChange(design: Design): void;
}

/** The fields that fit into one cell. The others are below the row, where they apply. */
const inCells = new Set<DesignField['type']>(['text', 'number', 'boolean', 'choice']);

/**
 * The items of a part as a grid: a line for each, a column for each field. Enter adds a line, Alt with an arrow moves
 * it, Ctrl with Backspace removes it.
 */
export function ItemGrid({ connectionId, design, part, problems, onChange }: GridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const [wanted, setWanted] = useState<Path | null>(null);
  const rows = listed(design.parts[part.id]);
  const [singular] = part.terms;
  const columns = part.fields.filter((field) => inCells.has(field.type) && !field.advanced);
  useEffect(() => {
    if (!wanted) return;
    grid.current
      ?.querySelector<HTMLElement>(`[data-path="${wanted.join('.')}"] input`)
      ?.focus({ preventScroll: false });
    setWanted(null);
  }, [wanted]);

  const add = (above: Path = []) => {
    const added = withNewItem(design, part.id, above);
    onChange(added.design);
    setWanted(added.path);
  };
  const remove = (path: Path) => {
    const at = rows.findIndex((row) => row.path.join('.') === path.join('.'));
    onChange(withoutItem(design, part.id, path));
    const next = rows[at - 1] ?? rows.find((row) => row.path.length === 1 && row.path[0] !== path[0]);
    setWanted(next ? (at > 0 ? next.path : path) : null);
  };
  const onKeyDown = (event: KeyboardEvent, { path }: ListedItem) => {
    const isText = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (event.key === 'Enter' && isText && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      add(path.slice(0, -1));
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      const moved = withMovedItem(design, part.id, path, event.key === 'ArrowUp' ? -1 : 1);
      if (!moved) return;
      onChange(moved.design);
      setWanted(moved.path);
    } else if (event.key === 'Backspace' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      remove(path);
    }
  };

  return (
    <>
      {rows.length > 0 && (
        <div className={styles.scroll}>
          <table ref={grid} className={styles.grid}>
            <thead>
              <tr>
                {columns.map(({ id, label, help, type }) => (
                  <th key={id} scope="col" title={help} data-type={type}>
                    {label}
                  </th>
                ))}
                <td className={styles.corner} style={{ borderTop: 0 }} />
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <ItemRow
                  key={row.path.join('.')}
                  {...{ connectionId, design, part, row, columns, onChange }}
                  problems={problemsAt(problems, part.id, row.path)}
                  onKeyDown={(event) => onKeyDown(event, row)}
                  onNest={() => add(row.path)}
                  onRemove={() => remove(row.path)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button size="small" icon={<Plus size={13} aria-hidden />} onClick={() => add()}>
        Add {singular}
      </Button>
    </>
  );
}

function ItemRow(props: {
  connectionId: string;
  design: Design;
  part: DesignPart;
  row: ListedItem;
  columns: DesignField[];
  problems: DesignProblem[];
  onChange(design: Design): void;
  onKeyDown(event: KeyboardEvent): void;
  onNest(): void;
  onRemove(): void;
}) {
  const { connectionId, design, part, columns, problems, onChange } = props;
  const { path, item } = props.row;
  const values = item.fields;
  const [singular] = part.terms;
  const name = String(values.name ?? '') || `${singular} ${path.map((at) => at + 1).join('.')}`;
  const set = (field: DesignField) => (value: Parameters<typeof withItemField>[4]) =>
    onChange(withItemField(design, part.id, path, field.id, value));
  const propsOf = (field: DesignField) => ({
    ...{ connectionId, design, field, values, fields: part.fields },
    value: fieldValue(field, values),
    error: problems.find((one) => one.field === field.id)?.problem,
    onChange: set(field),
  });
  const below = part.fields.filter(
    (field) => !inCells.has(field.type) && !field.advanced && isShown(field, values, part.fields),
  );
  const ofRow = problems.filter(({ field }) => field === undefined || !below.some((one) => one.id === field));
  return (
    <>
      <tr data-path={path.join('.')} onKeyDown={props.onKeyDown}>
        {columns.map((field, at) => (
          <td key={field.id} data-type={field.type}>
            {isShown(field, values, part.fields) ? (
              <div
                className={styles.cell}
                style={at === 0 ? { paddingLeft: (path.length - 1) * 16 } : undefined}
              >
                {at === 0 && path.length > 1 && (
                  <CornerDownRight size={12} aria-hidden className={styles.nested} />
                )}
                <CellField {...propsOf(field)} label={`${field.label} of ${name}`} />
              </div>
            ) : (
              <span className={styles.none} aria-hidden>
                –
              </span>
            )}
          </td>
        ))}
        <td className={styles.acts}>
          {canNest(part, item) && (
            <IconButton size="small" label={`Add ${singular} in ${name}`} onClick={props.onNest}>
              <Plus size={13} aria-hidden />
            </IconButton>
          )}
          <IconButton size="small" label={`Remove ${name}`} onClick={props.onRemove}>
            <Trash2 size={13} aria-hidden />
          </IconButton>
        </td>
      </tr>
      {(below.length > 0 || ofRow.length > 0) && (
        <tr className={styles.below}>
          <td colSpan={columns.length + 1}>
            {ofRow.map(({ problem }) => (
              <p key={problem} className={styles.problem}>
                {problem}
              </p>
            ))}
            {below.map((field) => (
              <LabelledField key={field.id} {...propsOf(field)} />
            ))}
          </td>
        </tr>
      )}
    </>
  );
}
