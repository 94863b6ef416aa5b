import { createHash } from 'node:crypto';
import type {
  ActStep,
  Design,
  DesignPlan,
  DesignSource,
  Json,
  PlanRequest,
  StepRequest,
} from '@trestle/driver-kit';
import type { Handle } from '../handle.ts';
import { queryRows } from '../query.ts';
import { listTables } from '../schema.ts';
import { sql } from '../sql.ts';
import { problemsOf } from './problems.ts';
import { creationSteps, stepsBetween } from './statements.ts';
import { designOfColumns, designOfDefinition, designOfTable } from './table-design.ts';

export function readDesign(handle: Handle, source: DesignSource): Design {
  if ('columns' in source) return designOfColumns(source.columns);
  return 'table' in source ? designOfTable(handle, source.table) : designOfDefinition(source.definition);
}

export function planDesign(handle: Handle, { design, table }: PlanRequest): DesignPlan {
  const isNew = table === undefined;
  const taken = listTables(handle).map(({ name }) => name);
  const indexNames = queryRows(handle, sql`SELECT name FROM sqlite_schema WHERE type = 'index'`).map(
    ([name]) => String(name),
  );
  const problems = problemsOf(design, { taken, isNew, indexNames });
  const before = isNew ? undefined : designOfTable(handle, table);
  const seen = before && { seen: fingerprint(before) };
  if (problems.length > 0) return { problems, steps: [], code: [], ...seen };
  const steps = before ? stepsBetween(before, design) : creationSteps(design, indexNames);
  return { problems, steps, code: [], ...seen };
}

/** All statements of an act are known at its start. The state has those that are left. */
export function nextStep(handle: Handle, { act, state, answer }: StepRequest): ActStep {
  if (answer && 'error' in answer) {
    const { sent } = state as unknown as State;
    return end(sent > 1 ? 'partly' : 'none', [answer.error.message]);
  }
  if (state !== null) return send(state as unknown as State);
  const table = act.kind === 'change' ? act.table : undefined;
  const plan = planDesign(handle, { design: act.design, ...(table !== undefined && { table }) });
  if (plan.problems.length > 0)
    return end(
      'none',
      plan.problems.map(({ problem }) => problem),
    );
  if (act.kind === 'change' && plan.seen !== act.seen)
    return end('none', [`${act.table} has changed meanwhile. Nothing was sent. Look at the changes again.`]);
  const steps = plan.steps.flatMap(({ title, text }) => (text === undefined ? [] : [{ title, text }]));
  if (steps.length === 0) return end('none', ['The design changes nothing.']);
  return send({ sent: 0, steps });
}

interface State {
  sent: number;
  steps: { title: string; text: string }[];
}

function send({ sent, steps }: State): ActStep {
  const next = steps[sent];
  if (!next) return end('all', []);
  return { kind: 'send', ...next, state: { sent: sent + 1, steps } as unknown as Json };
}

function end(made: 'all' | 'partly' | 'none', notes: string[]): ActStep {
  return { kind: 'end', ended: { made, notes } };
}

function fingerprint(design: Design): string {
  return createHash('sha256').update(JSON.stringify(design)).digest('base64url');
}
