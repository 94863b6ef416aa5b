import type { DesignField, DesignValue, Json, Later } from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';

export type Config = { [name: string]: Json };

/** A field of the form, and its place in the definition of a collection, a property or a vector. */
export interface Setting {
  field: DesignField;
  /** Undefined: the definition leaves it out. */
  read(config: Config): DesignValue | undefined;
  write(config: Config, value: DesignValue): Config;
  /** How a collection that exists takes this change, if `field.later` does not say it. `values`: of all fields, before. */
  change?(from: DesignValue, to: DesignValue, values: Record<string, DesignValue>): Change;
}

export interface Change {
  later: Later;
  cost?: string;
  undo?: string;
}

/** A setting at this place. The server leaves out a number that is 0, and a boolean that is false. */
export function settingAt(path: string[], field: DesignField, more: Partial<Setting> = {}): Setting {
  return {
    field,
    read: (config) => {
      const found = valueAt(config, path);
      if (found !== undefined && found !== null) return found as DesignValue;
      const isLeftOut = isRecord(valueAt(config, path.slice(0, -1)));
      return field.type === 'number' && path.length > 1 && isLeftOut ? 0 : undefined;
    },
    write: (config, value) => withValue(config, path, value),
    ...more,
  };
}

export function valueAt(config: Json | undefined, path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => (isRecord(at) ? at[name] : undefined), config);
}

export function withValue(config: Config, [name = '', ...deeper]: string[], value: Json): Config {
  const before = config[name];
  const inner = deeper.length === 0 ? value : withValue(isRecord(before) ? before : {}, deeper, value);
  return { ...config, [name]: inner };
}

/** The form's default for each setting. */
export function defaultsOf(settings: Setting[]): Record<string, DesignValue> {
  return Object.fromEntries(settings.map(({ field }) => [field.id, field.default]));
}

/** The values of all settings. The form's default stands for a setting that the definition leaves out. */
export function readSettings(settings: Setting[], config: Config): Record<string, DesignValue> {
  return Object.fromEntries(settings.map(({ field, read }) => [field.id, read(config) ?? field.default]));
}

/** Writes the values that differ from those of `config`. A field that the form does not show is not written. */
export function writeSettings(
  settings: Setting[],
  config: Config,
  values: Record<string, DesignValue>,
): Config {
  const before = readSettings(settings, config);
  const given = { ...before, ...values };
  return settings
    .filter(({ field }) => isShown(field, given) && !isSame(given[field.id], before[field.id]))
    .reduce((made, { field, write }) => write(made, given[field.id]!), config);
}

export function isShown(
  { visibleWhen = [] }: Pick<DesignField, 'visibleWhen'>,
  values: Record<string, DesignValue>,
): boolean {
  return visibleWhen.every(({ field, oneOf }) => oneOf.some((value) => value === values[field]));
}

export function isSame(one: DesignValue | undefined, other: DesignValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
