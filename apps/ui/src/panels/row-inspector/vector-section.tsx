import { cellToText } from '@trestle/driver-kit';
import { counted } from '../../controls/text/counted.ts';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { sparklinePath } from '../grid/sparkline.ts';
import type { InspectedProperty, InspectorPart } from './inspected-row.ts';
import styles from './row-inspector.module.css';
import { useInSight } from './use-in-sight.ts';
import { factText, vectorFacts } from './vector-facts.ts';

const drawing = { width: 312, height: 40, bars: 104 };

/**
 * Every vector column of the row: its dimensions, norm, least and greatest number, and its numbers as bars. If a cell
 * contains many vectors, the facts and bars of the first vector are shown.
 */
export function VectorSection({ row, activeColumn }: InspectorPart) {
  const vectors = row.properties.filter(({ type }) => type === 'vector');
  if (vectors.length === 0) return null;
  return (
    <section className={styles.vectors} aria-label="Vectors">
      {vectors.map((property) => (
        <VectorView
          key={property.name}
          property={property}
          rowId={row.id}
          isNew={row.state === 'inserted'}
          isActive={property.name === activeColumn}
        />
      ))}
    </section>
  );
}

function VectorView(props: {
  property: InspectedProperty;
  rowId: string;
  isNew: boolean;
  isActive: boolean;
}) {
  const { property, isActive } = props;
  const { name, cell } = property;
  const element = useInSight(isActive, props.rowId);
  const vectors = listsOf(cell);
  const facts = vectors[0] && vectorFacts(vectors[0]);
  return (
    <section
      ref={element}
      className={styles.vector}
      aria-label={`Vector ${name}`}
      data-active={isActive || undefined}
    >
      <header>
        <h3>{name}</h3>
        {facts && (
          <span className={styles.badge}>
            {vectors.length > 1 && `${vectors.length.toLocaleString('en')} × `}
            {counted(facts.dimensions, 'dimension')}
          </span>
        )}
        {cell !== undefined && cell !== null && (
          <CopyButton compact what={`vector ${name}`} text={cellToText(cell)} />
        )}
      </header>
      {property.isPending && <p className={styles.muted}>Loading …</p>}
      {!property.isPending && !facts && <p className={styles.muted}>{noVector(property, props.isNew)}</p>}
      {facts && vectors[0] && (
        <>
          <svg
            className={styles.drawing}
            viewBox={`0 0 ${drawing.width} ${drawing.height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label="The numbers of the vector as bars"
          >
            <path d={sparklinePath(vectors[0], drawing)} />
          </svg>
          <dl>
            <Fact name="Norm" value={factText(facts.norm)} />
            <Fact name="Min" value={factText(facts.least)} />
            <Fact name="Max" value={factText(facts.greatest)} />
          </dl>
        </>
      )}
    </section>
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

/** The vectors of a cell. A cell may contain many, for example one for each word of a text. */
function listsOf(cell: InspectedProperty['cell']): number[][] {
  if (!Array.isArray(cell) || cell.length === 0) return [];
  return (Array.isArray(cell[0]) ? cell : [cell]) as number[][];
}

function noVector({ cell, unset }: InspectedProperty, isNew: boolean): string {
  return isNew && cell === undefined ? unset || 'Made when the row is saved' : 'This row has no vector';
}
