import type { Json } from '@trestle/driver-kit';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { childrenOf, type JsonChild, startsOpen, summaryOf } from './json-nodes.ts';
import styles from './json-tree.module.css';

/** A value as formatted JSON that folds at its brackets. Folded parts are not drawn. */
export function JsonTree({ value }: { value: Json }) {
  return <JsonNode node={{ name: null, value }} depth={0} isLast />;
}

/** The number of children that are drawn at first. A list of ten thousand items must not block the window. */
const step = 200;

/** A longer text is drawn in part, because the browser stalls on a line of megabytes. */
const shownCharacters = 10_000;

function JsonNode(props: { node: JsonChild; depth: number; isLast: boolean }) {
  const { node, depth, isLast } = props;
  const { value } = node;
  const isList = Array.isArray(value);
  const children = childrenOf(value);
  const [open, setOpen] = useState(() => startsOpen(value, depth));
  const [shown, setShown] = useState(step);
  const comma = isLast ? '' : ',';
  const name = node.name !== null && (
    <>
      <span className={styles.name}>{JSON.stringify(node.name)}</span>
      {': '}
    </>
  );
  if (!children) {
    return (
      <div className={styles.line}>
        {name}
        <Scalar value={value} />
        {comma}
      </div>
    );
  }
  const [begin, end] = isList ? ['[', ']'] : ['{', '}'];
  if (children.length === 0) {
    return (
      <div className={styles.line}>
        {name}
        {begin}
        {end}
        {comma}
      </div>
    );
  }
  return (
    <div>
      <div className={styles.line}>
        <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={12} aria-hidden />
          <span>
            {name}
            {begin}
            {!open && (
              <>
                <span className={styles.summary}>{summaryOf(value)}</span>
                {end}
                {comma}
              </>
            )}
          </span>
        </button>
      </div>
      {open && (
        <>
          <div className={styles.inside}>
            {children.slice(0, shown).map((child, index) => (
              <JsonNode
                key={child.name ?? index}
                node={child}
                depth={depth + 1}
                isLast={index === children.length - 1}
              />
            ))}
            {children.length > shown && (
              <Button size="small" variant="quiet" onClick={() => setShown(shown + step * 5)}>
                {(children.length - shown).toLocaleString('en')} more
              </Button>
            )}
          </div>
          <div className={styles.line}>
            {end}
            {comma}
          </div>
        </>
      )}
    </div>
  );
}

function Scalar({ value }: { value: Json }) {
  const kind =
    typeof value === 'string' ? styles.string : typeof value === 'number' ? styles.number : styles.word;
  const isLong = typeof value === 'string' && value.length > shownCharacters;
  if (!isLong) return <span className={kind}>{JSON.stringify(value)}</span>;
  return (
    <>
      <span className={kind}>
        {JSON.stringify(value.slice(0, shownCharacters).toWellFormed()).slice(0, -1)}
      </span>
      <span className={styles.summary}>… {value.length.toLocaleString('en')} characters</span>
      <span className={kind}>"</span>
    </>
  );
}
