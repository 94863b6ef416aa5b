import { create } from 'zustand';
import type { PendingApproval } from '../../data/api/api-types.ts';

/** The questions that the user put aside with Later, in this window. They wait, and the rail shows their number. */
export const useAside = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export const aside = {
  put: ({ id }: PendingApproval) => useAside.setState(({ ids }) => ({ ids: new Set([...ids, id]) })),
  /** Shows the questions again. */
  showAll: () => useAside.setState({ ids: new Set() }),
};
