/** A pattern of `Like` as a regular expression. `*` and `?` cannot be escaped. They do not match a line feed. */
export function likePattern(pattern: string): RegExp {
  const source = Array.from(pattern, (char) =>
    char === '*' ? '[^\\n]*' : char === '?' ? '[^\\n]' : RegExp.escape(char),
  ).join('');
  return new RegExp(`^(?:${source})$`, 'u');
}
