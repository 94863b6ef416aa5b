import { useState } from 'react';
import { ErrorNote } from '../shared/error-note.tsx';
import { Field } from '../shared/field.tsx';
import { useSettings } from '../shared/queries.ts';
import { Select } from '../shared/select.tsx';
import { TextField } from '../shared/text-field.tsx';
import styles from './settings.module.css';
import { useChangeSettings } from './use-change-settings.ts';

const themes = [
  { value: 'system' as const, label: 'As the system' },
  { value: 'light' as const, label: 'Light' },
  { value: 'dark' as const, label: 'Dark' },
];
const pageSizes = ([100, 200, 500, 1000] as const).map((value) => ({
  value,
  label: `${value.toLocaleString('en')} rows`,
}));

export function GeneralPage() {
  const settings = useSettings();
  const change = useChangeSettings();
  if (!settings.data) return settings.error ? <ErrorNote error={settings.error} /> : null;
  const pageSize = pageSizes.find(({ value }) => value === settings.data.pageSize)?.value ?? 200;
  return (
    <section className={styles.page} aria-label="General">
      <h2>General</h2>
      <div className={styles.narrow}>
        <Field label="Theme">
          <Select
            value={settings.data.theme}
            options={themes}
            onValueChange={(theme) => change.mutate({ theme })}
          />
        </Field>
      </div>
      <div className={styles.narrow}>
        <Field label="Rows on a page" help="For tables that are opened from now on.">
          <Select
            value={pageSize}
            options={pageSizes}
            onValueChange={(value) => change.mutate({ pageSize: value })}
          />
        </Field>
      </div>
      <div className={styles.narrow}>
        <TimeoutField
          key={settings.data.statementTimeoutSeconds}
          seconds={settings.data.statementTimeoutSeconds}
          onChange={(statementTimeoutSeconds) => change.mutate({ statementTimeoutSeconds })}
        />
      </div>
      {change.error && <ErrorNote error={change.error} />}
    </section>
  );
}

function TimeoutField(props: { seconds: number; onChange(seconds: number): void }) {
  const [text, setText] = useState(String(props.seconds));
  const seconds = Number(text);
  const isGood = /^\d+$/.test(text) && seconds >= 1 && seconds <= 300;
  const commit = () => isGood && seconds !== props.seconds && props.onChange(seconds);
  return (
    <TextField
      label="Statement timeout in seconds"
      help="A statement that takes longer is stopped."
      error={isGood ? undefined : 'Between 1 and 300 seconds'}
      inputMode="numeric"
      value={text}
      onValueChange={setText}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
