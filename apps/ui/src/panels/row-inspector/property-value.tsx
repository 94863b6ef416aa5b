import { Checkbox } from '@base-ui/react/checkbox';
import type { Json } from '@trestle/driver-kit';
import { JsonTree } from '../../controls/json/json-tree.tsx';
import { CellValue } from '../grid/index.ts';
import { localDate } from '../value-editors/date-text.ts';
import type { InspectedProperty, InspectorPart } from './inspected-row.ts';
import { longTextNote } from './long-text.ts';
import styles from './row-inspector.module.css';

/** At most this many characters of a text are drawn: the browser stalls on a line of megabytes. */
const shownCharacters = 8_000;

/**
 * A value with more space than in the grid. Very long texts and binary values are cut. A date is shown in local time
 * and as stored.
 */
export function PropertyValue(props: {
  property: InspectedProperty;
  onToggle: (() => void) | undefined;
  onOpenReference: InspectorPart['onOpenReference'];
}) {
  const { property } = props;
  const { cell, name, type } = property;
  if (property.isPending) return <span className={styles.muted}>Loading …</span>;
  if (cell === undefined && property.unset !== 'NULL') {
    return <span className={styles.muted}>{property.unset}</span>;
  }
  if (cell === undefined) return <CellValue cell={null} column={{ type }} room={280} />;
  const links = property.references?.(cell);
  if (links) {
    return (
      <span className={styles.chips}>
        {links.map(({ title, target }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a row may be referred to twice
            key={index}
            type="button"
            className={styles.chip}
            disabled={!target}
            aria-label={`Open ${title}`}
            onClick={() => target && props.onOpenReference(target)}
          >
            {title}
          </button>
        ))}
      </span>
    );
  }
  if (typeof cell === 'boolean') {
    return (
      <span className={styles.boolean}>
        <Checkbox.Root
          className={styles.checkbox}
          aria-label={name}
          checked={cell}
          readOnly={!props.onToggle}
          onCheckedChange={props.onToggle}
        />
        {String(cell)}
      </span>
    );
  }
  if (isShortList(cell)) {
    return (
      <span className={styles.chips}>
        {cell.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value may occur twice
          <span key={index} className={styles.entry}>
            {typeof entry === 'string' ? entry : JSON.stringify(entry)}
          </span>
        ))}
      </span>
    );
  }
  if (typeof cell === 'object' && cell !== null && !(cell instanceof Uint8Array)) {
    return (
      <div className={styles.tree}>
        <JsonTree value={cell as Json} />
      </div>
    );
  }
  if (typeof cell === 'string' && cell !== '') {
    const local = type === 'date' ? localDate(cell) : null;
    return (
      <>
        {local && <span>{local}</span>}
        <span className={local ? styles.exact : type === 'uuid' ? styles.code : styles.text}>
          {cell.slice(0, shownCharacters)}
        </span>
        {cell.length > shownCharacters && <span className={styles.muted}>… {longTextNote(cell)}</span>}
      </>
    );
  }
  return <CellValue cell={cell} column={{ type }} room={280} />;
}

/** A few plain values are easier to read in a line than as a tree. */
function isShortList(cell: unknown): cell is (string | number | boolean)[] {
  if (!Array.isArray(cell) || cell.length === 0 || cell.length > 30) return false;
  return cell.every((entry) => typeof entry !== 'object' && String(entry).length <= 80 && entry !== '');
}
