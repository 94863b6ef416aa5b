import type { Manifest } from '@trestle/driver-kit';
import { Database } from 'lucide-react';

/** The logo of a driver: only path data, so that nothing in it can load or run. */
export function DriverLogo({
  manifest,
  size = 20,
}: {
  manifest: Pick<Manifest, 'logo'> | undefined;
  size?: number;
}) {
  if (!manifest?.logo) return <Database size={size} aria-hidden />;
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={manifest.logo} fillRule="evenodd" />
    </svg>
  );
}
