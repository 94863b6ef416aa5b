import { startVectorNode } from '@trestle/vector-node';
import { describe } from 'vitest';
import { describeReferences } from './weaviate-references.ts';
import { describeStructureAndTenants } from './weaviate-structure.ts';

describe('references on the sample node', () => describeReferences(() => startVectorNode()));
describe('structure and tenants on the sample node', () =>
  describeStructureAndTenants(() => startVectorNode()));
