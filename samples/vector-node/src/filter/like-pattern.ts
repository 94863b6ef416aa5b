/** `*` and `?` cannot be escaped. Neither matches a line feed, and only that: Go's dot stops there. */
export function likePattern(pattern: string): RegExp {
  const source = Array.from(pattern, (char) =>
    char === '*' ? '[^\\n]*' : char === '?' ? '[^\\n]' : RegExp.escape(char),
  ).join('');
  return new RegExp(`^(?:${source})$`, 'u');
}
