import { expect } from 'vitest';
import {
  type Call,
  type ChangeOutcome,
  driverErrorDetails,
  type Insert,
  type RowKey,
  type SaveReport,
  type SaveRequest,
  type Session,
} from '../index.ts';
import { rowsByOrdinal } from './fixture.ts';

/** Saves the changes. Returns their outcomes in the order of the changes. Throws if the save as a whole fails. */
export async function save(
  session: Pick<Session, 'applyChanges'>,
  set: Omit<SaveRequest, 'rowTimeoutMs'>,
  call: Call = { signal: new AbortController().signal },
): Promise<ChangeOutcome[]> {
  const { outcomes, error } = await follow(session.applyChanges!({ ...set, rowTimeoutMs: 30_000 }, call));
  if (error) throw error;
  return set.changes.map(({ id }) => {
    const outcome = outcomes.get(id);
    if (!outcome) throw new Error(`The change ${id} has no outcome`);
    return outcome;
  });
}

/** Reads the reports of a save or an import, and checks each. Returns an error instead of throwing it. */
export async function follow(
  reports: AsyncIterable<SaveReport>,
  onReport: (report: SaveReport) => void = () => {},
) {
  const sent = new Set<string>();
  const outcomes = new Map<string, ChangeOutcome>();
  const keys = new Map<string, RowKey>();
  try {
    for await (const report of reports) {
      for (const outcome of report.outcomes) {
        expect(outcomes.has(outcome.id), `${outcome.id} reported twice`).toBe(false);
        if (outcome.status === 'applied' || outcome.status === 'unknown') {
          expect(
            sent.has(outcome.id),
            `${outcome.id} has an outcome, but no earlier report lists it as sent`,
          ).toBe(true);
        }
        const key = keys.get(outcome.id);
        if (key && outcome.key)
          expect(outcome.key, `${outcome.id} has another key than when it was sent`).toEqual(key);
        outcomes.set(outcome.id, outcome);
      }
      for (const id of report.sent) {
        expect(sent.has(id), `${id} sent twice`).toBe(false);
        sent.add(id);
      }
      for (const [id, key] of Object.entries(report.keys ?? {})) {
        expect(
          report.sent.includes(id),
          `the report has a key for ${id}, which it does not list as sent`,
        ).toBe(true);
        keys.set(id, key);
      }
      onReport(report);
    }
  } catch (thrown) {
    return { sent, outcomes, error: thrown, details: driverErrorDetails(thrown) };
  }
  return { sent, outcomes };
}

/** Cancels the save of new rows at the first report. Checks that exactly the rows reported as applied were added. */
export async function cancelMidway(
  session: Session,
  table: string,
  changes: Insert[],
  start: (signal: AbortSignal) => AsyncIterable<SaveReport>,
): Promise<void> {
  const before = await rowsByOrdinal(session, table);
  const controller = new AbortController();
  const { outcomes, details } = await follow(start(controller.signal), () => controller.abort());
  expect(details?.code).toBe('cancelled');
  expect(outcomes.size).toBeLessThan(changes.length);
  const applied = changes.filter(({ id }) => outcomes.get(id)?.status === 'applied');
  const added = [...(await rowsByOrdinal(session, table)).keys()].filter((ordinal) => !before.has(ordinal));
  expect(added).toEqual(applied.map(({ values }) => values.ordinal));
}
