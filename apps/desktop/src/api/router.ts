import { activityProcedures } from './activity.ts';
import { appProcedures } from './app.ts';
import { approvalProcedures } from './approvals.ts';
import { clientSetupProcedures } from './client-setup.ts';
import { clientProcedures } from './clients.ts';
import { connectionProcedures } from './connections.ts';
import { copyProcedures } from './copies.ts';
import { designProcedures } from './designs.ts';
import { fileProcedures } from './files.ts';
import { historyProcedures } from './history.ts';
import { jobProcedures } from './jobs.ts';
import { pluginProcedures } from './plugins.ts';
import { recordProcedures } from './records.ts';
import { sampleProcedures } from './samples.ts';
import { sessionProcedures } from './sessions.ts';
import { settingsProcedures } from './settings.ts';
import { tableProcedures } from './tables.ts';
import { tokenProcedures } from './tokens.ts';
import { router } from './trpc.ts';

export const appRouter = router({
  app: appProcedures,
  connections: connectionProcedures,
  sessions: sessionProcedures,
  tables: tableProcedures,
  history: historyProcedures,
  settings: settingsProcedures,
  tokens: tokenProcedures,
  approvals: approvalProcedures,
  activity: activityProcedures,
  clients: clientProcedures,
  records: recordProcedures,
  files: fileProcedures,
  clientSetup: clientSetupProcedures,
  plugins: pluginProcedures,
  samples: sampleProcedures,
  copies: copyProcedures,
  designs: designProcedures,
  jobs: jobProcedures,
});

export type AppRouter = typeof appRouter;
export type { ImportReport, SaveFrame } from '@trestle/core';
export type { DataRoutes } from './data-routes.ts';
export type { WindowEvent } from './events.ts';
export type { ExportBody } from './export-routes.ts';
export type {
  CheckedPlan,
  FileDesign,
  ImportDesignBody,
  ImportedFile,
  ImportMapBody,
  ImportPlanBody,
  ImportRunBody,
} from './import-routes.ts';
export type { RowFrame, RowStreamBody } from './row-stream.ts';
