import { DriverError, suggestName } from '@trestle/driver-kit';
import type { Property } from '../schema.ts';

/** A part of GraphQL that Connect does not have. */
export function noCounterpart(part: string, hint?: string): DriverError {
  return new DriverError({
    code: 'unsupported',
    message: `${part} has no counterpart in Connect, so the query cannot be translated`,
    hint:
      hint ??
      'Filters, sorts, counts and searches need no query. The page "Moving from GraphQL" of the documentation lists what is translated.',
  });
}

/** A mistake that a server with GraphQL would refuse as well. */
export function mistake(fault: string, hint?: string): DriverError {
  return new DriverError({
    code: 'query_failed',
    message: `Mistake in the query: ${fault}`,
    ...(hint && { hint }),
  });
}

export function noProperty(of: string, name: string, properties: Property[]): DriverError {
  const names = properties.map((one) => one.name);
  return mistake(`${of} has no property "${name}"`, suggestName(name, names));
}
