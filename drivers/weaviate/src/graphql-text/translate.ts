import type { Json } from '@trestle/driver-kit';
import type { AggregateReply, AggregateRequest, SearchReply, SearchRequest } from '@trestle/weaviate-connect';
import type { DocumentNode } from 'graphql';
import { type Collection, findCollection } from '../schema.ts';
import { type AggregatePlan, planAggregate } from './aggregate.ts';
import { type GetPlan, planGet } from './get.ts';
import { assertNoArguments, readFields } from './read-fields.ts';
import { mistake, noCounterpart } from './refusal.ts';

/** A GraphQL query as requests of Connect. */
export interface Translation {
  fields: { root: string; key: string; plan: GetPlan | AggregatePlan }[];
}

/** Sends one request. The types of the two methods are apart, so that a reply has the type of its request. */
export interface ConnectSender {
  search(request: SearchRequest): Promise<SearchReply>;
  aggregate(request: AggregateRequest): Promise<AggregateReply>;
}

/** Throws before anything is sent if a part of the query has no counterpart. */
export function translate(
  { document, variables }: { document: DocumentNode; variables?: Json | undefined },
  collections: Collection[],
): Translation {
  const roots = readFields(document, variables);
  const fields = roots.flatMap((root) => {
    if (root.name !== 'Get' && root.name !== 'Aggregate') throw noCounterpart(root.name, rootHint(root.name));
    assertNoArguments(root);
    return root.fields.map((field) => {
      const collection = findCollection(collections, field.name);
      const plan =
        root.name === 'Get'
          ? planGet(field, collection, collections)
          : planAggregate(field, collection, collections);
      return { root: root.key, key: field.key, plan };
    });
  });
  if (fields.length === 0) throw mistake('The query selects no collection');
  return { fields };
}

function rootHint(name: string): string | undefined {
  if (name.startsWith('__')) return 'GET /schema lists the collections and their properties.';
  return name === 'Explore' ? 'Search one collection at a time, with Get.' : undefined;
}

/** Sends the requests one after another. Returns the `data` that GraphQL would have sent. */
export async function execute(
  { fields }: Translation,
  sender: ConnectSender,
): Promise<{ [key: string]: { [key: string]: Json } }> {
  const found = new Map<string, [string, Json][]>();
  for (const { root, key, plan } of fields) {
    const value =
      plan.method === 'Search'
        ? await executeGet(plan, sender)
        : plan.data(await sender.aggregate(plan.request));
    found.set(root, [...(found.get(root) ?? []), [key, value]]);
  }
  return Object.fromEntries([...found].map(([root, entries]) => [root, Object.fromEntries(entries)]));
}

async function executeGet(plan: GetPlan, sender: ConnectSender): Promise<Json> {
  const reply = await sender.search(plan.request);
  const ids = reply.results.map(({ metadata }) => metadata?.id ?? '');
  const further: SearchReply[] = [];
  // Without rows there is nothing to read further.
  for (const request of ids.length > 0 ? plan.further(ids) : []) further.push(await sender.search(request));
  return plan.data(reply, further);
}
