import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { initialize, type McpResult, type StdioClient } from '../stdio-client.ts';
import type { Call, Half, Task } from './task.ts';

/** Runs the tasks on a real server. Throws if an answer lacks an expected fact, or if a call does not end as expected. */
export async function runTasks(
  client: StdioClient,
  tasks: Task[],
  callsOf: (task: Task) => Call[],
): Promise<Half> {
  const catalogue = await readCatalogue(client);
  const costs: Half['tasks'] = [];
  for (const task of tasks) {
    const calls = callsOf(task);
    const cost = { question: task.question, trips: 0, read: 0, written: 0 };
    const answers: string[] = [];
    for (const call of calls) {
      const args = typeof call.args === 'function' ? call.args(answers) : call.args;
      const { text, isRefused } = await answerTo(client, call.tool, args);
      const problem = problemWith(call, text, isRefused);
      if (problem)
        throw new Error(`"${task.question}": ${call.tool} ${JSON.stringify(args)} ${problem}\n${text}`);
      if (call.isCheck) continue;
      answers.push(text);
      cost.trips++;
      cost.read += countTokens(text);
      cost.written += countTokens(JSON.stringify({ name: call.tool, arguments: args }));
    }
    costs.push(cost);
  }
  return { catalogue, tasks: costs };
}

/** The tokens of the instructions and tools, which a client shows a model at the start. */
async function readCatalogue(client: StdioClient): Promise<number> {
  const { instructions = '' } = await initialize(client);
  const { tools } = await client.ask('tools/list', {});
  return countTokens(`${instructions}${JSON.stringify(tools)}`);
}

async function answerTo(
  client: StdioClient,
  name: string,
  args: object,
): Promise<{ text: string; isRefused: boolean }> {
  const { result, error } = await client.exchange('tools/call', { name, arguments: args });
  if (error) return { text: `${error.code} ${error.message}`, isRefused: true };
  return { text: textOf(result ?? {}), isRefused: result?.isError === true };
}

/** A structured copy counts too, because a client may pass it on with the text. */
function textOf({ content, structuredContent }: McpResult): string {
  const parts = (content as { text?: string }[]).map((part) => part.text ?? JSON.stringify(part));
  return [...parts, ...(structuredContent ? [JSON.stringify(structuredContent)] : [])].join('\n');
}

function problemWith({ says = [], refused }: Call, text: string, isRefused: boolean): string | undefined {
  if (refused && !isRefused) return 'was not refused';
  if (refused) return refused.test(text) ? undefined : `was refused without ${refused}`;
  if (isRefused) return 'ended in an error';
  const missing = says.find((fact) => !fact.test(text));
  return missing && `did not say ${missing}`;
}
