import { appendFileSync } from 'node:fs';

/** Adds a count of faults to the file that `npm run proofs` names in TRESTLE_PROOF_TALLY, for its summary. */
export function tally(kind: string, count: number): void {
  const file = process.env.TRESTLE_PROOF_TALLY;
  if (file) appendFileSync(file, `${JSON.stringify({ kind, count })}\n`);
}

/** How often each thing happened, one line for each thing. */
export function countEach(things: string[]): string {
  const counts = new Map<string, number>();
  for (const one of things) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([one, count]) => `${count} × ${one}`).join('\n  ');
}
