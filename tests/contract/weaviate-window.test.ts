import { startVectorNode } from '@trestle/vector-node';
import { describe } from 'vitest';
import { describeReferences } from './weaviate-references.ts';
import { describeSearchSettings } from './weaviate-search-settings.ts';
import { describeStructureAndTenants } from './weaviate-structure.ts';

describe('references on the sample node', () => describeReferences(() => startVectorNode()));
describe('structure and tenants on the sample node', () =>
  describeStructureAndTenants(() => startVectorNode()));
describe('settings of searches on the sample node', () => describeSearchSettings(() => startVectorNode()));
