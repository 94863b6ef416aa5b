import type { Driver } from '@trestle/driver-kit';
import { WeaviateClient } from './client.ts';
import { readVersion } from './health.ts';
import { WeaviateSession } from './session.ts';
import { readSettings } from './settings.ts';

export const driver: Driver = {
  async connect({ fields, log, dial, stage }, { signal }) {
    const settings = readSettings(fields);
    const client = new WeaviateClient(settings, dial, stage);
    try {
      const version = await readVersion(client, settings.address, { signal, stage });
      return new WeaviateSession(client, { product: 'Weaviate', version }, log);
    } catch (error) {
      await client.close();
      throw error;
    }
  },
};
