/**
 * Negative if `a` is older. A pre-release precedes its release, and build metadata (after +) is ignored.
 * These few lines replace the package `semver`, which would be one more dependency.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) {
    const difference = left.numbers[i]! - right.numbers[i]!;
    if (difference !== 0) return difference;
  }
  if (left.preRelease === right.preRelease) return 0;
  if (left.preRelease === '') return 1;
  if (right.preRelease === '') return -1;
  return left.preRelease.localeCompare(right.preRelease, 'en', { numeric: true });
}

function partsOf(version: string): { numbers: number[]; preRelease: string } {
  const [release = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  const numbers = release.split('.').map(Number);
  return { numbers: [0, 1, 2].map((i) => numbers[i] || 0), preRelease: rest.join('-') };
}
