import { describeDriverContract } from '@trestle/driver-kit/testing';
import { weaviateTarget } from '../contract/weaviate-target.ts';
import { describeOnWeaviate } from './servers.ts';

describeOnWeaviate('the driver contract', ({ version, port }) => {
  describeDriverContract(
    `Weaviate ${version}`,
    weaviateTarget(async () => ({ port, stop: async () => {} })),
  );
});
