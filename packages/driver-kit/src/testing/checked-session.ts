import type { AnsweringMethod } from '../answers/call-answers.ts';
import {
  AnswerMismatch,
  checkAnswer,
  checkError,
  checkServerInfo,
  checkStream,
  type StreamingMethod,
} from '../answers/check-answer.ts';
import { driverErrorDetails } from '../errors.ts';
import { type Call, optionalMethods, requiredMethods, type Session } from '../session.ts';

type Method = (...args: unknown[]) => unknown;

const streams: readonly string[] = ['exportRows', 'sampleRows', 'applyChanges', 'importRows'];

/** The session, with the checks that the app makes of each answer. A wrong answer throws `AnswerMismatch`. */
export function checkedSession(session: Session): Session {
  checkServerInfo(session.server);
  const checked: Record<string, unknown> = { server: session.server };
  for (const name of [...requiredMethods, ...optionalMethods]) {
    if (typeof session[name] !== 'function') continue;
    const method = (session[name] as Method).bind(session);
    if (name === 'close') checked[name] = method;
    else if (streams.includes(name)) checked[name] = checkedStream(name as StreamingMethod, method);
    else checked[name] = checkedCall(name as AnsweringMethod, method);
  }
  return checked as unknown as Session;
}

function checkedCall(name: AnsweringMethod, method: Method): Method {
  return async (...args) => {
    const answer = await (method(...args) as Promise<unknown>).catch(rethrowChecked);
    checkAnswer(name, args.slice(0, -1), answer);
    return answer;
  };
}

function checkedStream(name: StreamingMethod, method: Method): Method {
  return async function* (...args) {
    const check = checkStream(name, args[0]);
    try {
      for await (const item of method(...args) as AsyncIterable<unknown>) {
        check.item(item);
        yield item;
      }
    } catch (error) {
      rethrowChecked(error);
    }
    const { signal } = args.at(-1) as Call;
    if (!signal.aborted) check.end();
  };
}

function rethrowChecked(error: unknown): never {
  const details = driverErrorDetails(error);
  // With a link in between, `driver_crashed` is an error of the link.
  if (!(error instanceof AnswerMismatch) && details.code !== 'driver_crashed') checkError(details);
  throw error;
}
