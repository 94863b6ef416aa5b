/** One request of the text in the editor: an operation with its fragments, or a REST line with its body. */
export interface RequestBlock {
  from: number;
  to: number;
  kind: 'graphql' | 'rest';
}

const restLine = /^\s*(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[ \t]+\S/i;
const operation = /^\s*(\{|query\b|mutation\b|subscription\b)/;
const ignored = /^\s*(#.*)?$/;
/** The start of a JSON object, also of one that the user has only begun. No complete operation starts like this. */
const jsonObject = /\s*\{\s*(["}]|$)/y;

/**
 * The requests in a text, in order. If all brackets are closed, these lines start a request:
 * - a REST line;
 * - an operation at the beginning of the text, or after an empty line or a comment.
 *
 * Empty lines and comments start no request. Any other line belongs to the request above it, or starts a request if
 * there is none above. If a REST line may have a body and has none yet, a JSON object below it is that body, not an
 * operation.
 */
export function requestBlocks(text: string): RequestBlock[] {
  const blocks: RequestBlock[] = [];
  let depth = 0;
  let inBlockString = false;
  let afterGap = true;
  let awaitsBody = false;
  let offset = 0;
  for (const line of text.split('\n')) {
    const to = offset + line.length;
    if (!inBlockString && ignored.test(line)) afterGap ||= depth === 0;
    else {
      const isRest = depth === 0 && restLine.test(line);
      const isOperation =
        depth === 0 && afterGap && operation.test(line) && !(awaitsBody && isJsonAt(text, offset));
      const current = blocks.at(-1);
      if (isRest || isOperation || !current) {
        const from = offset + (line.length - line.trimStart().length);
        blocks.push({ from, to, kind: isRest ? 'rest' : 'graphql' });
        inBlockString = false;
        // A body may follow below, if the method takes one and this line does not contain it.
        awaitsBody = isRest && !/^\s*(GET|HEAD)\b/i.test(line) && !/[{[]/.test(line);
      } else {
        current.to = to;
        awaitsBody = false;
      }
      const read = readLine(line, inBlockString, blocks.at(-1)?.kind === 'graphql');
      depth = Math.max(0, depth + read.balance);
      inBlockString = read.inBlockString;
      afterGap = false;
    }
    offset = to + 1;
  }
  return blocks;
}

/** The block that contains a position, or else the last block before it, or else the first. */
export function blockAt(blocks: RequestBlock[], position: number): RequestBlock | undefined {
  return blocks.findLast(({ from }) => from <= position) ?? blocks[0];
}

function isJsonAt(text: string, offset: number): boolean {
  jsonObject.lastIndex = offset;
  return jsonObject.test(text);
}

/** A comment, the `"""` of a block string, a string or a bracket. */
const token = /#.*|"""|"(?:[^"\\]|\\.)*"?|[{[(]|[}\])]/g;
/** As `token`, without block strings. JSON has none. */
const restToken = /#.*|"(?:[^"\\]|\\.)*"?|[{[(]|[}\])]/g;
/** The quotes that end a block string, or escaped quotes, which do not end it. */
const blockStringEnd = /\\?"""/g;

/**
 * `balance`: opened brackets minus closed ones. Brackets after # or in quotes do not count. Only a block string of
 * GraphQL continues on the next line. A string without its closing quote ends with its line. The patterns do not require
 * that quote: otherwise a long line of `\"` would take quadratic time.
 */
function readLine(line: string, startsInBlockString: boolean, isGraphql: boolean) {
  let balance = 0;
  let inBlockString = startsInBlockString;
  let at = 0;
  for (;;) {
    const pattern = inBlockString ? blockStringEnd : isGraphql ? token : restToken;
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0];
    if (found === undefined) return { balance, inBlockString };
    at = pattern.lastIndex;
    if (found === '"""') inBlockString = !inBlockString;
    else if (/^[{[(]/.test(found)) balance += 1;
    else if (/^[}\])]/.test(found)) balance -= 1;
  }
}
