import { type ComponentProps, lazy, Suspense } from 'react';

// Not needed for the first page; loaded when the first structure is looked at.
const Loaded = lazy(async () => ({ default: (await import('./structure-view.tsx')).StructureView }));

export function StructureView(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
