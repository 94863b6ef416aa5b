import type { Json } from '@trestle/driver-kit';
import { ChevronRight, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../shared/button.tsx';
import { showToast } from '../shared/toast.tsx';
import styles from './json-document.module.css';
import { childrenOf, type JsonChild, startsOpen, summaryOf } from './json-nodes.ts';

/** A document as formatted JSON, folded by its brackets. What is folded is not drawn. */
export function JsonDocument({ value }: { value: Json }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
      showToast({ title: 'Copied the document' });
    } catch {
      showToast({ title: 'The browser refused access to the clipboard', level: 'error' });
    }
  };
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long document is scrolled by keyboard */}
      <section className={styles.document} aria-label="Document" tabIndex={0}>
        <JsonNode node={{ name: null, value }} depth={0} isLast />
      </section>
      <Button size="small" className={styles.copy} icon={<Copy size={13} aria-hidden />} onClick={copy}>
        Copy
      </Button>
    </div>
  );
}

/** Children drawn at once: a list of ten thousand must not stall the window. */
const step = 200;

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
  return <span className={kind}>{JSON.stringify(value)}</span>;
}
