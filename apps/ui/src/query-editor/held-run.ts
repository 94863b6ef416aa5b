/**
 * Whether the browser repeats a key that runs statements, because it is held down. A fast statement would run again and
 * again.
 */
export function isHeldRun(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'repeat'>): boolean {
  return event.repeat && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}
