import type { Match } from '@trestle/driver-kit';
import type { FilterEntry } from './filter-entries.ts';

/** A named list of filters. */
export interface FilterPreset {
  name: string;
  entries: FilterEntry[];
  match: Match;
}

export type PresetChange = (presets: FilterPreset[]) => FilterPreset[];

/** A preset with the same name is replaced at its position. */
export function savePreset(preset: FilterPreset): PresetChange {
  return (presets) =>
    presets.some(({ name }) => name === preset.name)
      ? presets.map((other) => (other.name === preset.name ? preset : other))
      : [...presets, preset];
}

/** If a preset already has the new name, nothing changes. */
export function renamePreset(from: string, to: string): PresetChange {
  return (presets) =>
    presets.some(({ name }) => name === to)
      ? presets
      : presets.map((preset) => (preset.name === from ? { ...preset, name: to } : preset));
}

export function deletePreset(name: string): PresetChange {
  return (presets) => presets.filter((preset) => preset.name !== name);
}

/**
 * The presets in a stored value. A preset without a name or a list of entries is left out: another version of the app
 * may have stored it.
 */
export function presetsIn(value: unknown): FilterPreset[] {
  const { presets } = (value ?? {}) as { presets?: unknown };
  if (!Array.isArray(presets)) return [];
  return presets.filter(
    (preset): preset is FilterPreset => typeof preset?.name === 'string' && Array.isArray(preset?.entries),
  );
}
