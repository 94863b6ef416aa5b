import type { api } from './api.ts';

// Names for the types of the app's answers, and of a few requests.

export type Connection = Answer<typeof api.connections.list.query>[number];
export type ConnectionDraft = Parameters<typeof api.connections.create.mutate>[0];
export type TestResult = Answer<typeof api.connections.test.mutate>;
export type SessionStatus = Answer<typeof api.sessions.statuses.query>[number];
export type TableSummary = Answer<typeof api.tables.list.query>[number];
export type ListedDriver = Answer<typeof api.plugins.listed.query>[number];
export type DriverDetails = Answer<typeof api.plugins.installed.query>[number];
export type Settings = Answer<typeof api.settings.get.query>;
export type Token = Answer<typeof api.tokens.list.query>[number];
export type PendingApproval = Answer<typeof api.approvals.pending.query>[number];
export type ActivityEntry = Answer<typeof api.activity.list.query>[number];
export type ActivityFilter = Omit<Parameters<typeof api.activity.list.query>[0], 'limit' | 'before'>;
export type ListedClient = Answer<typeof api.clients.list.query>[number];
export type ActivityCheck = Answer<typeof api.activity.verify.mutate>;
export type ConnectGuide = Answer<typeof api.clientSetup.clients.query>['guides'][number];
export type ConnectPlan = Answer<typeof api.clientSetup.config.plan.query>;
export type LastCall = NonNullable<Answer<typeof api.clientSetup.lastCalls.query>['bridge']>;
export type HistoryEntry = Answer<typeof api.history.search.query>[number];
export type Removal = NonNullable<Answer<typeof api.history.removed.query>>;
export type SpaceUse = Answer<typeof api.app.space.query>;
export type AppInfo = Answer<typeof api.app.info.query>;

type Answer<Call extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>;
