import type { ConnectionFields, Manifest } from '@trestle/driver-kit';
import { useState } from 'react';
import { api } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { findProblems, hasProblems } from './form-problems.ts';
import {
  afterChange,
  copyOf,
  type FieldInput,
  type FormValues,
  fillFields,
  newValues,
  sameValues,
  toDraft,
  valuesOf,
  withAddressesSplit,
} from './form-values.ts';

/** The state of one open form: its values, its problems, and saving. */
export function useConnectionForm(options: {
  manifest: Manifest;
  connection?: Connection;
  copied?: Connection;
  takenNames: string[];
}) {
  const { manifest, connection, copied, takenNames } = options;
  const [initial] = useState<FormValues>(() => {
    if (connection) return valuesOf(manifest, connection);
    return copied ? copyOf(manifest, copied, takenNames) : newValues(manifest, takenNames);
  });
  const [values, setValues] = useState(initial);
  // Problems appear after the first attempt to save or test, and then update as the user types.
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const otherNames = takenNames.filter((name) => name !== connection?.name);
  const problems = findProblems(manifest, values, otherNames);

  /** The draft, or null if there are problems. The problems are then shown. */
  const check = () => {
    // Enter in a field saves before the field loses the focus, so an address in it is not split yet.
    const split = withAddressesSplit(manifest, values);
    setValues(split);
    setTried(true);
    return hasProblems(findProblems(manifest, split, otherNames)) ? null : toDraft(manifest, split);
  };

  const save = async (): Promise<Connection | null> => {
    const draft = check();
    if (!draft) return null;
    setSaving(true);
    setError(null);
    try {
      const saved = connection
        ? await api.connections.update.mutate({ id: connection.id, draft })
        : await api.connections.create.mutate(draft);
      await queryClient.invalidateQueries({ queryKey: queryKeys.connections });
      return saved;
    } catch (reason) {
      setError(reason);
      return null;
    } finally {
      setSaving(false);
    }
  };

  return {
    values,
    problems: tried ? problems : { fields: {} },
    changed: !sameValues(values, initial),
    saving,
    error,
    check,
    save,
    set: (patch: Partial<FormValues>) => setValues((before) => ({ ...before, ...patch })),
    /** Fills several fields at once, by id: from an address or an accepted suggestion. */
    fill: (fields: ConnectionFields) =>
      setValues((before) => ({ ...before, fields: fillFields(before.fields, fields) })),
    setField: (id: string, input: FieldInput) =>
      setValues((before) => ({
        ...before,
        fields: { ...before.fields, [id]: afterChange(initial.fields[id], input) },
      })),
  };
}
