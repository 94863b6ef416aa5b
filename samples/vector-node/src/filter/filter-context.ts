import type { ClassDefinition } from '../definition.ts';
import type { Database } from '../store/database.ts';

export interface FilterContext {
  database: Database;
  definition: ClassDefinition;
  tenant: string | undefined;
}
