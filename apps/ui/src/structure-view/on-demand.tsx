import { type ComponentProps, Suspense } from 'react';
import { loadPart } from '../shared/load-part.ts';

// Not needed for the first page. Loaded when the user opens the first structure.
const Loaded = loadPart(async () => ({ default: (await import('./structure-view.tsx')).StructureView }));

export function StructureView(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
