import type { JobList } from '../jobs/jobs.ts';
import type { ActDetail, ActRequest, Acts, Data } from '../types.ts';
import { runAct } from './run-act.ts';

export function createActs({
  data,
  jobs,
}: {
  data: Pick<Data, 'classify' | 'nextStep' | 'runQuery'>;
  jobs: Pick<JobList, 'run'>;
}): Acts {
  return {
    begin(request, rights) {
      const { act, connectionId } = request;
      const table = act.kind === 'create' ? act.design.name : act.table;
      const detail: ActDetail = { kind: act.kind, table, sent: [], made: null, notes: [] };
      const { id } = jobs.run(
        { kind: 'act', title: titleOf(request), connectionId, table, detail: () => detail },
        (job) => runAct(job, { data, request, detail, ...(rights && { rights }) }),
      );
      return { id };
    },
  };
}

function titleOf({ act }: ActRequest): string {
  return act.kind === 'create' ? `Create ${act.design.name}` : `Change ${act.table}`;
}
