import type { Design, DesignField, DesignProblem, DesignValue } from '@trestle/driver-kit';
import { fieldValue, isShown } from './design-edits.ts';
import { LabelledField } from './field-control.tsx';
import styles from './table-design.module.css';

/** Fields with their labels. Advanced ones are folded until they are opened, or one has a problem or another value. */
export function FieldList(props: {
  connectionId: string;
  design: Design;
  fields: DesignField[];
  values: Record<string, DesignValue>;
  problems: DesignProblem[];
  onChange(field: DesignField, value: DesignValue): void;
}) {
  const { connectionId, design, fields, values, problems } = props;
  const shown = fields.filter((field) => isShown(field, values, fields));
  const advanced = shown.filter((field) => field.advanced);
  const isOpen = advanced.some(
    ({ id, default: usual }) =>
      problems.some(({ field }) => field === id) ||
      (values[id] !== undefined && JSON.stringify(values[id]) !== JSON.stringify(usual)),
  );
  const draw = (field: DesignField) => (
    <LabelledField
      key={field.id}
      {...{ connectionId, design, field, values, fields }}
      value={fieldValue(field, values)}
      error={problems.find((one) => one.field === field.id)?.problem}
      onChange={(value) => props.onChange(field, value)}
    />
  );
  return (
    <>
      {problems
        .filter(({ field }) => field === undefined)
        .map(({ problem }) => (
          <p key={problem} className={styles.problem}>
            {problem}
          </p>
        ))}
      <div className={styles.fields}>{shown.filter((field) => !field.advanced).map(draw)}</div>
      {advanced.length > 0 && (
        <details className={styles.more} open={isOpen || undefined}>
          <summary>{advanced.length === 1 ? '1 more setting' : `${advanced.length} more settings`}</summary>
          <div className={styles.fields}>{advanced.map(draw)}</div>
        </details>
      )}
    </>
  );
}
