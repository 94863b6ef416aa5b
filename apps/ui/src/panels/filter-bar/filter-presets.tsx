import { Check, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import styles from './filter-presets.module.css';
import { deletePreset, type FilterPreset, renamePreset, savePreset } from './preset-list.ts';
import { presetStore } from './preset-store.ts';

/** The user chooses, renames or deletes a preset, or saves the filters of the builder as a preset. */
export function FilterPresets(props: {
  connectionId: string;
  table: string;
  /** The filters of the builder; null if an active filter cannot be read. */
  current(): Omit<FilterPreset, 'name'> | null;
  onChoose(preset: FilterPreset): void;
}) {
  const presets = presetStore(props.connectionId, props.table);
  const list = useStore(presets.store, (state) => state.presets);
  const [name, setName] = useState('');
  const [renaming, setRenaming] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  /** Moves the focus to the named preset, or else to the first field: a control that disappears loses the focus. */
  const focus = (preset: string | undefined) =>
    requestAnimationFrame(() => {
      const buttons = [...(section.current?.querySelectorAll<HTMLElement>('[data-preset]') ?? [])];
      const button = buttons.find(({ dataset }) => dataset.preset === preset);
      (button ?? section.current?.querySelector('input'))?.focus();
    });
  const save = () => {
    const current = props.current();
    if (!current || name.trim() === '') return;
    presets.change(savePreset({ ...current, name: name.trim() }));
    setName('');
  };
  return (
    <section ref={section} className={styles.presets} aria-label="Presets of filters">
      {list.length === 0 && <p className={styles.none}>This table has no presets yet.</p>}
      {list.length > 0 && (
        <ul aria-label="Presets" className={styles.list}>
          {list.map((preset, index) => (
            <li key={preset.name} className={styles.preset}>
              {renaming === preset.name ? (
                <NewName
                  name={preset.name}
                  taken={list.map((other) => other.name)}
                  onName={(to) => {
                    if (to !== null) presets.change(renamePreset(preset.name, to));
                    setRenaming(null);
                    focus(to ?? preset.name);
                  }}
                />
              ) : (
                <>
                  <button
                    type="button"
                    data-preset={preset.name}
                    className={styles.choose}
                    onClick={() => props.onChoose(preset)}
                  >
                    <span className={styles.name}>{preset.name}</span>
                    <span className={styles.count}>{preset.entries.length}</span>
                  </button>
                  <IconButton
                    size="small"
                    label={`Rename ${preset.name}`}
                    onClick={() => setRenaming(preset.name)}
                  >
                    <Pencil size={12} aria-hidden />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={`Delete ${preset.name}`}
                    onClick={() => {
                      presets.change(deletePreset(preset.name));
                      focus((list[index + 1] ?? list[index - 1])?.name);
                    }}
                  >
                    <Trash2 size={12} aria-hidden />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextInput
          size="small"
          aria-label="Name for these filters"
          placeholder="Name for these filters"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="small" type="submit" disabled={name.trim() === ''} focusableWhenDisabled>
          {list.some((preset) => preset.name === name.trim()) ? 'Replace' : 'Save'}
        </Button>
      </form>
    </section>
  );
}

/** Enter saves the new name, Escape keeps the old one. */
function NewName(props: { name: string; taken: string[]; onName(name: string | null): void }) {
  const [text, setText] = useState(props.name);
  const input = useRef<HTMLInputElement>(null);
  // Takes the focus only once: the list is also rendered while the user types into another field, and that field must
  // keep the focus.
  useEffect(() => input.current?.focus(), []);
  const name = text.trim();
  const isTaken = name !== props.name && props.taken.includes(name);
  return (
    <form
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '' && !isTaken) props.onName(name);
      }}
    >
      <TextInput
        ref={input}
        size="small"
        aria-label={`New name of ${props.name}`}
        aria-invalid={isTaken || undefined}
        title={isTaken ? 'Another preset has this name' : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Otherwise Escape would also close the builder.
          event.stopPropagation();
          props.onName(null);
        }}
      />
      <IconButton size="small" type="submit" label="Save the name" disabled={name === '' || isTaken}>
        <Check size={13} aria-hidden />
      </IconButton>
    </form>
  );
}
