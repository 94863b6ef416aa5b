import { AppError, type Connection, type ConnectionDraft, type Core } from '@trestle/core';

/** All or nothing: a refused connection takes back the ones created before it. */
export async function importConnections(
  core: Core,
  input: { connections: ConnectionDraft[]; replace: boolean },
): Promise<Connection[]> {
  const { connections: drafts, replace } = input;
  const existing = new Map(core.connections.list().map((connection) => [connection.name, connection]));
  const taken = drafts.find((draft) => existing.has(draft.name));
  if (taken && !replace) {
    throw new AppError({
      code: 'conflict',
      message: `A connection named "${taken.name}" is already there`,
      hint: 'Nothing was imported; --replace puts the imported one in its place.',
    });
  }
  const created: Connection[] = [];
  try {
    for (const draft of drafts) if (!existing.has(draft.name)) created.push(await create(core, draft));
  } catch (error) {
    for (const connection of created) await core.connections.remove(connection.id);
    throw error;
  }
  const replaced: Connection[] = [];
  for (const draft of drafts) {
    const old = existing.get(draft.name);
    if (old) replaced.push(await core.connections.update(old.id, draft));
  }
  return [...created, ...replaced];
}

async function create(core: Core, draft: ConnectionDraft): Promise<Connection> {
  try {
    return await core.connections.create(draft);
  } catch (error) {
    if (error instanceof AppError) {
      throw new AppError({
        code: error.code,
        message: `"${draft.name}": ${error.message}`,
        hint: error.hint,
      });
    }
    throw error;
  }
}
