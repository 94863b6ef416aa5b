import { createStore } from 'zustand/vanilla';
import { toApiError } from '../api/api.ts';

/** Why the app cannot store changes of this window, for example because its disk is full. Null while it can. */
export const unstored = createStore<{ reason: string | null }>(() => ({ reason: null }));

/** The names of what the app could not store yet. */
const waiting = new Set<string>();

/** Runs a request that stores what `name` stands for, and notes whether the app could store it. */
export async function noteStoring<T>(name: string, store: () => Promise<T>): Promise<T> {
  try {
    const answer = await store();
    noteStored(name);
    return answer;
  } catch (error) {
    const { code, message } = toApiError(error);
    if (code === 'storage_failed') noteUnstored(name, message);
    throw error;
  }
}

export function noteUnstored(name: string, reason: string): void {
  waiting.add(name);
  unstored.setState({ reason });
}

export function noteStored(name: string): void {
  if (waiting.delete(name) && waiting.size === 0) unstored.setState({ reason: null });
}
