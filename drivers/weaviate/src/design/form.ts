import type { DesignForm, Later } from '@trestle/driver-kit';
import { collectionSettings } from './collection-settings.ts';
import { isSince, type KnownServer } from './known-server.ts';
import { nestedTypes, propertySettings } from './property-settings.ts';
import { vectorSettings } from './vector-settings.ts';

export function designForm(server: KnownServer): DesignForm {
  const addsVectors: Later = isSince(server, 30) ? 'now' : 'copy';
  return {
    groups: collectionSettings(server).map(({ title, settings }) => ({
      title,
      fields: settings.map(({ field }) => field),
    })),
    parts: [
      {
        id: 'properties',
        terms: ['property', 'properties'],
        fields: propertySettings(server).map(({ field }) => field),
        nesting: { field: 'type', oneOf: nestedTypes },
        add: 'now',
        remove: 'copy',
      },
      {
        id: 'vectors',
        terms: ['vector', 'vectors'],
        fields: vectorSettings(server).map(({ field }) => field),
        add: addsVectors,
        remove: 'copy',
      },
    ],
  };
}
