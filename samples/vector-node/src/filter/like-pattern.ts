/** `*` and `?` cannot be escaped, and neither crosses a line feed: Go's dot stops there, and only there. */
export function likePattern(pattern: string): RegExp {
  const source = Array.from(pattern, (char) =>
    char === '*' ? '[^\\n]*' : char === '?' ? '[^\\n]' : RegExp.escape(char),
  ).join('');
  return new RegExp(`^(?:${source})$`, 'u');
}
