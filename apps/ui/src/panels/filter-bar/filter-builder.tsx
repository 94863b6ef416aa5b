import type { ColumnDescription, Match } from '@trestle/driver-kit';
import { Bookmark, Plus } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import type { ApiError } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import styles from './filter-bar.module.css';
import { FilterRow } from './filter-row.tsx';
import type { FilterDrafts } from './use-filter-drafts.ts';

/** Every filter with its column, operator and value. Enter applies them. */
export function FilterBuilder(props: {
  columns: ColumnDescription[];
  drafts: FilterDrafts;
  form: RefObject<HTMLFormElement | null>;
  problemAt(index: number): string | null;
  isApplied(index: number): boolean;
  /** A refusal that names no single filter. */
  refusal: ApiError | null;
  presetsOpen: boolean;
  onPresets(): void;
  onRemove(index: number): void;
  onAdd(): void;
  onClear(): void;
  onApply(): void;
}) {
  const { columns, drafts } = props;
  return (
    <form
      ref={props.form}
      aria-label="Filters"
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        props.onApply();
      }}
    >
      <ul className={styles.rows}>
        {drafts.drafts.map((draft, index) => (
          <FilterRow
            key={draft.id}
            draft={draft}
            number={index + 1}
            columns={columns}
            applied={props.isApplied(index)}
            problem={props.problemAt(index)}
            onChange={drafts.change}
            onRemove={() => props.onRemove(index)}
          />
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="quiet"
          icon={<Plus size={13} aria-hidden />}
          disabled={columns.length === 0}
          onClick={props.onAdd}
        >
          Add filter
        </Button>
        {drafts.drafts.length > 1 && (
          <Select<Match>
            size="small"
            className={styles.combine}
            aria-label="How filters combine"
            value={drafts.match}
            options={[
              { value: 'all', label: 'Match all' },
              { value: 'any', label: 'Match any' },
            ]}
            onValueChange={drafts.setMatch}
          />
        )}
        <Button
          size="small"
          variant="quiet"
          icon={<Bookmark size={13} aria-hidden />}
          aria-expanded={props.presetsOpen}
          onClick={props.onPresets}
        >
          Presets
        </Button>
        <span className={styles.gap} />
        <Button size="small" onClick={props.onClear} disabled={drafts.drafts.length === 0}>
          Clear
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={drafts.drafts.length === 0}>
          Apply
        </Button>
      </div>
      {props.refusal && <ErrorNote error={props.refusal} className={styles.error} />}
    </form>
  );
}
