import { countTokens, tokensOfAnswer, tokensOfTools } from '../../tests/mcp/tokens.ts';
import { usualQuestion } from '../../tests/mcp/usual-collection.ts';
import { type DeclaredGoal, goals } from '../goals.ts';
import type { Figure } from '../measure.ts';
import { initialize, openStdio } from '../stdio-client.ts';
import { ask, stdioBridge, weaviateConnection } from '../trestle.ts';

type Answer = Parameters<typeof tokensOfAnswer>[0];

const facts = 'Sample: SQLite';
const vectors = 'Sample: Weaviate';
const missions = ['id', 'name', 'agency', 'launch_date', 'destination', 'planet_id', 'crewed', 'outcome'];
const nearest = {
  table: 'Species',
  limit: 5,
  mode: 'near_text',
  text: 'big cats that hunt alone',
  target_vector: 'description',
};

/**
 * The tokens of the answers that have a budget of their own, on the two samples of a running app, and on a server at
 * `usualPort` with the usual collection.
 */
export async function answerCosts(home: string, usualPort: number): Promise<Figure[]> {
  const client = openStdio(stdioBridge(home));
  try {
    await initialize(client);
    const { tools } = await client.ask('tools/list', {});
    const catalogue = tokensOfTools(tools as unknown[]);
    const cost = async (name: string, args: object) =>
      tokensOfAnswer((await client.ask('tools/call', { name, arguments: args })) as Answer);
    const costOf = async (steps: [name: string, args: object][]) => {
      let whole = catalogue;
      for (const [name, args] of steps) {
        whole += countTokens(JSON.stringify({ name, arguments: args })) + (await cost(name, args));
      }
      return whole;
    };
    const questionSteps: [string, object][] = [
      ['list_connections', {}],
      ['list_tables', { connection_id: vectors }],
      ['describe_table', { connection_id: vectors, table: 'Species' }],
      ['vector_search', { connection_id: vectors, ...nearest }],
    ];
    const usual = usualQuestion(await weaviateConnection(home, usualPort));
    const schemas: number[] = [];
    for (const id of await sampleIds(home)) {
      const { contents } = await client.ask('resources/read', { uri: `trestle://connections/${id}/schema` });
      schemas.push(countTokens((contents as { text: string }[])[0]!.text));
    }
    const described = (id: string, table: string) => cost('describe_table', { connection_id: id, table });
    const rows = { connection_id: facts, table: 'space_missions', limit: 20, columns: missions };
    return [
      figure('tools/list', catalogue, goals.catalogue),
      figure('describe_table of countries', await described(facts, 'countries'), goals.describeSqlite),
      figure('describe_table of Mission', await described(vectors, 'Mission'), goals.describeWeaviate),
      figure('schema of the larger sample', Math.max(...schemas), goals.schema),
      figure('browse_table of space_missions', await cost('browse_table', rows), goals.twentyRows),
      figure('the catalogue and four calls', await costOf(questionSteps), goals.question),
      figure('describe_table of a usual collection', await cost(...usual[2]!), goals.describeUsual),
      figure('a question about the usual collection', await costOf(usual), goals.usualQuestion),
    ];
  } finally {
    await client.end();
  }
}

function figure(name: string, tokens: number, goal: DeclaredGoal): Figure {
  return { name, unit: 'tokens', subject: [tokens], baseline: [goal.most], against: 'its budget', goal };
}

async function sampleIds(home: string): Promise<string[]> {
  const connections = (await ask(home, 'connections', 'list')) as { id: string; sample: boolean }[];
  return connections.filter(({ sample }) => sample).map(({ id }) => id);
}
