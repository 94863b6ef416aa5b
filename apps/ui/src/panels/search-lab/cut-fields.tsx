import { Select } from '../../controls/fields/select.tsx';
import { NumberInput } from './number-input.tsx';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';

/** Where the results end: at a distance, or at a jump in the scores or distances. */
export function CutFields({ column, support, onChange }: SettingsProps) {
  const { autocut, maxDistance } = support.options ?? {};
  const takesDistance = maxDistance?.includes(column.mode);
  const takesAutocut = autocut?.includes(column.mode);
  if (!takesDistance && !takesAutocut) return null;
  return (
    <fieldset>
      <legend>Cut-off</legend>
      {takesAutocut && (
        <div className={styles.weightLine}>
          <span>At a jump in the scores</span>
          <Select
            size="small"
            className={styles.jump}
            aria-label="Autocut"
            value={column.autocut ?? 0}
            options={[
              { value: 0, label: 'Off' },
              { value: 1, label: 'The first' },
              { value: 2, label: 'The second' },
              { value: 3, label: 'The third' },
            ]}
            onValueChange={(jump) => onChange({ autocut: jump === 0 ? undefined : jump })}
          />
        </div>
      )}
      {takesDistance && (
        <div className={styles.weightLine}>
          <span>Beyond the distance</span>
          <NumberInput
            label="Largest distance"
            value={column.maxDistance}
            step={0.05}
            placeholder="none"
            onChange={(next) => onChange({ maxDistance: next })}
          />
        </div>
      )}
    </fieldset>
  );
}
