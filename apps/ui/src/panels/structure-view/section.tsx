import type { StructureSection } from '@trestle/driver-kit';
import { Check, Minus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { counted } from '../../controls/text/counted.ts';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import styles from './structure-view.module.css';

/** How many rows of a section are shown at first, because a collection may have thousands of tenants. */
const firstRows = 100;

export function Section({ section }: { section: StructureSection }) {
  const id = useId();
  const count = section.kind === 'table' ? section.rows.length : undefined;
  return (
    <section className={styles.section} data-aside={section.aside} aria-labelledby={id}>
      <header className={styles.head}>
        <h3 id={id}>{section.title}</h3>
        {count !== undefined && <span className={styles.count}>{count.toLocaleString('en')}</span>}
        {section.kind === 'code' && (
          <>
            <span className={styles.count}>{lines(section.text)}</span>
            <span className={styles.gap} />
            <CopyButton text={section.text} what={section.title.toLowerCase()} />
          </>
        )}
      </header>
      {section.kind === 'facts' && <FactList facts={section.facts} />}
      {section.kind === 'table' && <SectionTable section={section} />}
      {section.kind === 'code' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the block scrolls, so the keyboard must reach it
        <pre className={styles.code} tabIndex={0}>
          {section.text}
        </pre>
      )}
    </section>
  );
}

function FactList({ facts }: { facts: { name: string; value: string }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts have no id
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function SectionTable({ section }: { section: StructureSection & { kind: 'table' } }) {
  const [all, setAll] = useState(false);
  const { columns, rows } = section;
  if (rows.length === 0) return <p className={styles.none}>None</p>;
  // A column that is empty in every row is left out.
  const shown = columns.flatMap((name, at) => (rows.some((row) => row[at] !== '') ? [{ name, at }] : []));
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            {shown.map(({ name, at }) => (
              <th key={name} scope="col" data-mark={typeof rows[0]?.[at] === 'boolean' || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, all ? rows.length : firstRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id
            <tr key={index}>
              {shown.map(({ name, at }) => (
                <Cell key={name} value={row[at] ?? ''} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!all && rows.length > firstRows && (
        <Button size="small" variant="quiet" onClick={() => setAll(true)}>
          Show all {rows.length.toLocaleString('en')}
        </Button>
      )}
    </>
  );
}

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return <td>{value}</td>;
  return (
    <td data-mark>
      {value ? (
        <Check size={14} role="img" aria-label="Yes" className={styles.yes} />
      ) : (
        <Minus size={14} role="img" aria-label="No" className={styles.no} />
      )}
    </td>
  );
}

function lines(text: string): string {
  const count = text.split('\n').length;
  return counted(count, 'line');
}
