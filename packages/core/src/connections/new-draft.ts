import { defaultFields, type Manifest } from '@trestle/driver-kit';
import type { ConnectionDraft } from '../types.ts';

/** A draft with all defaults. Only its name is missing. */
export function newConnectionDraft(manifest: Manifest): ConnectionDraft {
  return {
    name: '',
    driver: manifest.id,
    fields: defaultFields(manifest),
    externalClients: 'readOnly',
    aiPolicy: 'askEachTime',
    safeMode: 'off',
    color: null,
    masking: { columns: [], patterns: [] },
  };
}
