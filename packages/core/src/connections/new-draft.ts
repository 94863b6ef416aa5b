import { defaultFields, type Manifest } from '@trestle/driver-kit';
import type { ConnectionDraft } from '../types.ts';

/** A draft with the default fields and levels. The name, and fields without a default, are missing. */
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
