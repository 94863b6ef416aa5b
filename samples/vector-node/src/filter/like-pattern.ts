/** `*` and `?` cannot be escaped. Both match any character except a line feed, like the dot in Go. */
export function likePattern(pattern: string): RegExp {
  const source = Array.from(pattern, (char) =>
    char === '*' ? '[^\\n]*' : char === '?' ? '[^\\n]' : RegExp.escape(char),
  ).join('');
  return new RegExp(`^(?:${source})$`, 'u');
}
