import { type ComponentProps, lazy, Suspense } from 'react';

// Not needed for the first page. Loaded when the user opens the first row.
const Loaded = lazy(async () => ({ default: (await import('./row-inspector.tsx')).RowInspector }));

export function RowInspector(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
