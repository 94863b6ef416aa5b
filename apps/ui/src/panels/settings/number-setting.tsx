import { useState } from 'react';
import { TextField } from '../../controls/fields/text-field.tsx';
import type { Settings } from '../../data/api/api-types.ts';
import { type NumberSetting, problemOf } from './number-settings.ts';
import type { useChangeSettings } from './use-change-settings.ts';

/**
 * The field of a numeric setting. On Enter or when the field loses the focus, the number is saved if it is valid.
 */
export function NumberSettingField(props: {
  setting: NumberSetting;
  settings: Settings;
  change: ReturnType<typeof useChangeSettings>;
}) {
  const { setting, change } = props;
  const stored = props.settings[setting.key];
  const [draft, setDraft] = useState<{ text: string; of: number } | null>(null);
  // If the stored value has changed since the user typed, it replaces the typed text.
  const text = draft && draft.of === stored ? draft.text : String(stored);
  const problem = problemOf(setting, text);
  const commit = () => {
    if (problem === undefined && Number(text) !== stored) change.mutate({ [setting.key]: Number(text) });
  };
  return (
    <TextField
      label={setting.label}
      help={setting.help}
      error={problem}
      inputMode="numeric"
      value={text}
      onValueChange={(typed) => setDraft({ text: typed, of: stored })}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
