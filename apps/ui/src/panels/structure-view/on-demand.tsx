import { type ComponentProps, Suspense } from 'react';
import { loadPart } from '../../controls/loading/load-part.ts';

// The first page seldom needs this part, so it is loaded when a structure is first shown.
const Loaded = loadPart(async () => ({ default: (await import('./structure-view.tsx')).StructureView }));

export function StructureView(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
