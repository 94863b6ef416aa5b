import type { LinkSession } from '@trestle/driver-host';
import { type EndpointNeed, isDriverError, type Outbound } from '@trestle/driver-kit';

export interface OutboundRights {
  /** Where the database may send stored keys for this caller, as of now. */
  current(): Outbound;
  /** Asks the user. Throws if the user does not approve it. */
  ask(need: EndpointNeed): Promise<void>;
}

/**
 * The session for one caller. Every request that could make the database send a stored key says where the user allows
 * that. If the driver needs the approval of an address, the user is asked, and the request is sent again. The driver has
 * sent nothing before.
 */
export function withOutbound(session: LinkSession, rights: OutboundRights): LinkSession {
  async function settled<T>(work: (outbound: Outbound) => Promise<T>): Promise<T> {
    for (let asked = 0; ; asked++) {
      try {
        return await work(rights.current());
      } catch (error) {
        await agreed(error, asked);
      }
    }
  }

  async function* streamed<T>(work: (outbound: Outbound) => AsyncIterable<T>): AsyncGenerator<T, void> {
    for (let asked = 0; ; asked++) {
      let hasBegun = false;
      try {
        for await (const one of work(rights.current())) {
          hasBegun = true;
          yield one;
        }
        return;
      } catch (error) {
        // After a report, rows may be stored already.
        if (hasBegun) throw error;
        await agreed(error, asked);
      }
    }
  }

  async function agreed(error: unknown, asked: number): Promise<void> {
    const need = isDriverError(error) && error.code === 'endpoint_unapproved' && error.endpoints;
    if (!need || need.endpoints.length === 0 || asked >= mostQuestions) throw error;
    await rights.ask(need);
  }

  const { search, applyChanges, importRows, createTable } = session;
  return {
    ...session,
    run: (request, call) => settled((outbound) => session.run({ ...request, outbound }, call)),
    ...(search && {
      search: (request, call) => settled((outbound) => search({ ...request, outbound }, call)),
    }),
    ...(applyChanges && {
      applyChanges: (request, call) => streamed((outbound) => applyChanges({ ...request, outbound }, call)),
    }),
    ...(importRows && {
      importRows: (request, call) => streamed((outbound) => importRows({ ...request, outbound }, call)),
    }),
    ...(createTable && {
      createTable: (request, call) => settled((outbound) => createTable({ ...request, outbound }, call)),
    }),
  };
}

/** One question for each collection of a statement. A driver that always asks again must not loop. */
const mostQuestions = 10;
