import { type ComponentProps, lazy, Suspense } from 'react';

// The first page does not need it. It is loaded when the inspector first opens.
const Loaded = lazy(async () => ({ default: (await import('./row-inspector.tsx')).RowInspector }));

export function RowInspector(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
