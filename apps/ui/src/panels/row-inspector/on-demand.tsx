import { type ComponentProps, Suspense } from 'react';
import { loadPart } from '../../controls/loading/load-part.ts';

// The inspector's code is loaded when the inspector first opens.
const Loaded = loadPart(async () => ({ default: (await import('./row-inspector.tsx')).RowInspector }));

export function RowInspector(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
