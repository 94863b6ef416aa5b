import type { Manifest } from '@trestle/driver-kit';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Connection } from '../api/api-types.ts';
import type { Tab } from './workspace-state.ts';

/**
 * One kind of tab. The file of a kind defines all of this in one object, and `workspace/tab-kinds.ts` lists that
 * object. The workspace knows nothing else about a kind.
 */
export interface TabKind<T extends Tab = Tab> {
  /** Stored with each tab, so a later version must not change it. */
  kind: T['kind'];
  /** The window offers to open an empty tab of this kind, for example as “New query”. */
  create?: {
    label: string;
    shortcut: string;
    /** The manifest is undefined while it is loading. */
    isOffered(manifest: Manifest | undefined): boolean;
    open(connectionId: string): void;
  };
  /** A hook. The tab's title and icon, and an optional mark with its meaning, such as “2 unsaved”. */
  useLabel(connectionId: string, tab: T): TabLabel;
  /** The content of the tab. A large one is loaded later (`loadPart`). */
  Content(props: TabContentProps<T>): ReactNode;

  /** The tab's own members from the stored ones, perhaps of another version. Null if they do not fit. */
  read(stored: Record<string, unknown>): OwnMembers<T> | null;
  /**
   * Two windows changed the tab. `merged` has the members that this window changed, and the other window's others.
   * Defaults to `merged`.
   */
  merge?(base: T | null, mine: T, theirs: T, merged: T): MergedTab<T>;
  /** Whether the tab has changes of this window that must stay if another window deletes the tab. */
  hasOwnChanges?(base: T | null, mine: T): boolean;
  /** Says that a conflict moved the changes of this window to `tab`. */
  onSplit?(tab: T): void;

  /** Whether two tabs are the same thing, so that only one of them may be open. */
  isSame?(one: T, other: T): boolean;
  /** The tab as it can be open beside `others`, with a number of its own. */
  beside?(tab: T, others: T[]): T;
  /** Whether a closed tab can be reopened. Defaults to true. */
  canReopen?(tab: T): boolean;
  /** A sentence about the loss if the tab closes; null if nothing is lost. */
  lossOf?(connectionId: string, tab: T): string | null;
  /** Discards what `lossOf` names. */
  discard?(connectionId: string, tab: T): void;
  /** Whether the user has done something in the tab that its replacement by the next preview would lose. */
  isTouched?(connectionId: string, tab: T): boolean;
  /** Follows what all tabs of this kind share, from the start of the window. Returns a function that ends it. */
  follow?(): () => void;
}

/** What a kind stores for a tab, beside what the workspace stores for each. */
export type OwnMembers<T extends Tab> = Omit<T, keyof Tab>;

export interface TabContentProps<T extends Tab = Tab> {
  connection: Connection;
  manifest: Manifest;
  tab: T;
  isActive: boolean;
}

export interface TabLabel {
  title: string;
  icon: LucideIcon;
  mark?: { label: string; title: string } | undefined;
}

export interface MergedTab<T extends Tab = Tab> {
  tab: T;
  /** This window's tab, if its changes do not fit into `tab`: another window changed the same place. */
  apart?: T;
}
