import type { SearchMode } from '@trestle/driver-kit';
import { Code, X } from 'lucide-react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import { AlphaSlider } from '../search-bar/alpha-slider.tsx';
import { needsVector, searchRefusal } from '../search-bar/index.ts';
import { ColumnSettings } from './column-settings.tsx';
import { aboutColumn, settingChips } from './column-words.ts';
import { columnName, modeNames } from './comparison.ts';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';

/** The head of a column: the mode, the controls of the mode, and the settings in words. */
export function ColumnHead(
  props: SettingsProps & {
    filterCount: number;
    onShowCode: (() => void) | undefined;
    onRemove: (() => void) | undefined;
  },
) {
  const { column, support, onChange } = props;
  const name = columnName(column);
  const needs = column.mode === 'near_vector' || needsVector({ ...column, text: '' }, support);
  const chips = settingChips(column, support, props.filterCount);
  return (
    <header className={styles.head}>
      <div className={styles.headLine}>
        <Select<SearchMode>
          size="small"
          className={styles.mode}
          aria-label="Kind of search"
          value={column.mode}
          options={support.modes.map(({ mode }) => {
            const refusal = searchRefusal(support, mode);
            return {
              value: mode,
              label: modeNames[mode],
              ...(refusal && { detail: refusal, disabled: true }),
            };
          })}
          onValueChange={(mode) => onChange({ mode })}
        />
        <span className={styles.about}>{aboutColumn(column, support)}</span>
        {props.onShowCode && (
          <IconButton size="small" label={`Show ${name} as code`} onClick={props.onShowCode}>
            <Code size={14} aria-hidden />
          </IconButton>
        )}
        <ColumnSettings {...{ column, support, onChange, name }} filterCount={props.filterCount} />
        {props.onRemove && (
          <IconButton size="small" label={`Remove ${name}`} onClick={props.onRemove}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {column.mode === 'hybrid' && (
        <div className={styles.alphaLine}>
          <AlphaSlider
            value={column.alpha}
            onValueChange={(alpha) => onChange({ alpha })}
            onValueCommitted={(alpha) => onChange({ alpha })}
          />
        </div>
      )}
      {needs && (
        <TextInput
          size="small"
          className={styles.vectorInput}
          aria-label={`Vector of ${name}`}
          placeholder="Paste a vector: [0.0123, -0.45, …]"
          value={column.vector}
          onChange={(event) => onChange({ vector: event.currentTarget.value })}
        />
      )}
      {column.mode === 'near_object' && (
        <TextInput
          size="small"
          className={styles.vectorInput}
          aria-label={`Row of ${name}`}
          placeholder="The key of a row"
          value={column.objectId}
          onChange={(event) => onChange({ objectId: event.currentTarget.value })}
        />
      )}
      {chips.length > 0 && (
        <div className={styles.chips}>
          {chips.map(({ text, isLimit }) => (
            <span key={text} className={styles.chip} data-limit={isLimit || undefined}>
              {text}
            </span>
          ))}
        </div>
      )}
    </header>
  );
}
