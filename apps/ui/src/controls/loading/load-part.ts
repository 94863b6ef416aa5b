import { type ComponentType, createElement, lazy, type ReactElement } from 'react';

const failed = new Set<() => void>();

/** Like React's `lazy`, but `loadFailedPartsAgain` can retry a failed load. `lazy` alone never retries. */
export function loadPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => ReactElement {
  const begin = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(() => {
          part = begin();
        });
        throw error;
      }),
    );
  let part = begin();
  return (props) => createElement(part as ComponentType<Props>, props);
}

/** The parts that could not be loaded are loaded again when they are drawn next. */
export function loadFailedPartsAgain(): void {
  for (const again of failed) again();
  failed.clear();
}
