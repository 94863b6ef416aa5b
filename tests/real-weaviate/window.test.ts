import { describeReferences } from '../contract/weaviate-references.ts';
import { describeSearchSettings } from '../contract/weaviate-search-settings.ts';
import { describeStructureAndTenants } from '../contract/weaviate-structure.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('references', ({ port }) =>
  describeReferences(async () => ({ port, stop: async () => {} })),
);
describeOnWeaviate('structure and tenants', ({ port }) =>
  describeStructureAndTenants(async () => ({ port, stop: async () => {} })),
);
describeOnWeaviate('settings of searches', ({ port }) =>
  describeSearchSettings(async () => ({ port, stop: async () => {} })),
);
