/**
 * Whether the browser repeats Mod+Enter because the user holds the keys down. Such a repeat must not run the
 * statement again.
 */
export function isHeldRun(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'repeat'>): boolean {
  return event.repeat && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}
