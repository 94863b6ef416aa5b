import { describeDriverContract } from '@trestle/driver-kit/testing';
import { startVectorNode } from '@trestle/vector-node';
import { weaviateTarget } from './weaviate-target.ts';

describeDriverContract(
  'Weaviate on the sample node',
  weaviateTarget(() => startVectorNode()),
);
