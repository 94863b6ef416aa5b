import { hasUnseen } from '@trestle/driver-kit/plain-name';
import { AppError } from '../errors.ts';

/** Two connections whose names look the same could not be told apart in a question. */
export function assertPlainName(name: string): void {
  if (!hasUnseen(name.trim())) return;
  throw new AppError({
    code: 'invalid_argument',
    message: 'The name of the connection has characters that cannot be seen',
    hint: 'Type the name instead of pasting it.',
  });
}
