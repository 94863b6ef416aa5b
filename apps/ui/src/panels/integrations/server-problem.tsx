import { clockWords, momentWords } from '../../controls/text/date-words.ts';
import type { AppInfo } from '../../data/api/api-types.ts';
import { Note } from '../../data/messages/error-note.tsx';

/** Why clients cannot use the server, now or soon, and what to do. Empty if there is no problem. */
export function ServerProblem({ mcp }: { mcp: AppInfo['mcp'] }) {
  if (mcp.state === 'failed') {
    return (
      <Note level="error">
        <p>The server could not start: {mcp.message}.</p>
        <p>Fix that, then turn Enable MCP Server off and on.</p>
      </Note>
    );
  }
  if (mcp.state !== 'running' || !mcp.unheard) return null;
  const { message, expiresAt } = mcp.unheard;
  const isOver = Date.parse(expiresAt) <= Date.now();
  const at = new Date(expiresAt);
  const isToday = at.toDateString() === new Date().toDateString();
  const when = isToday ? clockWords(at) : momentWords(at);
  return (
    <Note level={isOver ? 'error' : 'warning'}>
      <p>
        {isOver
          ? `Since ${when} clients that start trestle-mcp are refused: `
          : `At ${when} clients that start trestle-mcp will be cut off: `}
        Trestle could not write their next token.
      </p>
      <p>{message}. Fix that. Trestle tries again every half minute.</p>
    </Note>
  );
}
