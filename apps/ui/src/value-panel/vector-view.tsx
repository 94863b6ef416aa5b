import type { Cell } from '@trestle/driver-kit';
import { Copy } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { showToast } from '../shared/toast.tsx';
import styles from './value-panel.module.css';
import { factText, vectorFacts } from './vector-facts.ts';

/** A vector: what can be said of it, and every number. */
export function VectorView({ cell }: { cell: Cell }) {
  const vector = Array.isArray(cell) ? (cell as number[]) : null;
  const facts = vector && vectorFacts(vector);
  if (!vector || !facts) return <EmptyState title="This row has no vector" />;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(vector));
      showToast({ title: `Copied ${facts.dimensions.toLocaleString('en')} numbers` });
    } catch {
      showToast({ title: 'The browser refused access to the clipboard', level: 'error' });
    }
  };
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Dimensions" value={facts.dimensions.toLocaleString('en')} />
        <Fact name="Norm" value={factText(facts.norm)} />
        <Fact name="Min" value={factText(facts.least)} />
        <Fact name="Max" value={factText(facts.greatest)} />
      </dl>
      <textarea
        readOnly
        className={styles.text}
        aria-label="Values of the vector"
        spellCheck={false}
        value={vector.join(', ')}
      />
      <footer className={styles.foot}>
        <span className={styles.gap} />
        <Button size="small" icon={<Copy size={13} aria-hidden />} onClick={copy}>
          Copy as JSON
        </Button>
      </footer>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
