/**
 * Whether the browser repeats Mod+Enter because the user holds the keys down. Otherwise a fast statement would run
 * again and again.
 */
export function isHeldRun(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'repeat'>): boolean {
  return event.repeat && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}
