import type { Design } from '@trestle/driver-kit';
import { TableProperties } from 'lucide-react';
import { loadPart } from '../../controls/loading/load-part.ts';
import { useConnection, useManifest } from '../../data/queries/queries.ts';
import type { TabKind } from '../../data/window/tab-kind.ts';
import type { DesignTab } from './open-design.ts';

/** Tabs that design a new table. The tab stores the design, so it stays a draft until the table is made. */
export const designTabs: TabKind<DesignTab> = {
  kind: 'design',
  useLabel(connectionId, { design }) {
    const connection = useConnection(connectionId);
    const [term] = useManifest(connection?.driver)?.terms.table ?? ['table'];
    return {
      title: design.name || `New ${term}`,
      icon: TableProperties,
      mark: isEmpty(design) ? undefined : { label: 'draft', title: 'Not created yet' },
    };
  },
  Content: loadPart(() => import('./design-tab.tsx')),
  read({ design, file }) {
    if (!isDesignLike(design)) return null;
    return { design, ...(isFile(file) && { file }) };
  },
  canReopen: ({ design }) => !isEmpty(design),
};

function isEmpty({ name, parts, fields }: Design): boolean {
  return (
    name === '' && Object.keys(fields).length === 0 && Object.values(parts).every((one) => one.length === 0)
  );
}

/** The app checks the rest of a design. Only what the form reads at once must be there. */
function isDesignLike(value: unknown): value is Design {
  const { name, fields, parts } = (value ?? {}) as Partial<Design>;
  return (
    typeof name === 'string' &&
    isRecord(fields) &&
    isRecord(parts) &&
    Object.values(parts).every(Array.isArray)
  );
}

function isFile(value: unknown): value is NonNullable<DesignTab['file']> {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
