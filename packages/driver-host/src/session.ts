import type { Call, Session } from '@trestle/driver-kit';
import type { LinkCall } from './watch-call.ts';

/** A driver's session as the link offers it. A method that takes a `Call` also takes the deadline of a `LinkCall`. */
export type LinkSession = { [Name in keyof Session]: WithDeadline<Session[Name]> };

type WithDeadline<Member> = Member extends (...args: infer Args) => infer Result
  ? Args extends [...infer Before, Call]
    ? (...args: [...Before, call: LinkCall]) => Result
    : Member
  : Member;
