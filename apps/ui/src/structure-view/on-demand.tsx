import { type ComponentProps, lazy, Suspense } from 'react';

// Not needed for the first page. Loaded when the user opens the first structure.
const Loaded = lazy(async () => ({ default: (await import('./structure-view.tsx')).StructureView }));

export function StructureView(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
