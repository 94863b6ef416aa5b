import { expect, test } from 'vitest';
import { fateOfWrite, mayBeElsewhere, mayBeStored } from './write-fate.ts';

test.each([
  'put object: import into index place: replicate insertion: shard="x": broadcast: cannot reach enough replicas',
  'put object: import into index place: put remote object: shard="x": connect: Post "http://10.0.0.2:7101/indices/Place/shards/x/objects": dial tcp 10.0.0.2:7101: connect: connection refused',
  'connect: Post "http://n2/replicas/indices/Place/shards/x:commit": context deadline exceeded',
  'cannot achieve consistency level "QUORUM": cannot reach enough replicas',
  'msg:repo.merge code:500 err:replicate single update: rpc error: code = Unavailable desc = closing',
  'delete object: delete remote object: shard="x": unexpected status code 500 (shard is gone)',
])('another node may have made the change, or may still make it: %s', (said) => {
  expect(mayBeElsewhere(said)).toBe(true);
  const body = JSON.stringify({ error: [{ message: said }] });
  expect(fateOfWrite({ status: 500, body })).toBe('open');
});

test.each([
  "invalid object: no such prop with name 'remote' found in class 'Replica' in the schema",
  `invalid text property 'replica' on class 'Remote': not a string, but json.Number`,
  `invalid date property 'at' on class 'P': requires a string with a RFC3339 formatted date, but the given value is 'broadcast: cannot reach enough replicas'`,
  'class "broadcast: context canceled" not found in schema',
  'class Replica is not allowed to use "remote"',
  'update vector: send POST request: Post "http://localhost:9090/vectors": dial tcp: connection refused',
  'store is read-only',
])('the write has ended, and the object is not stored on any node: %s', (said) => {
  expect(mayBeElsewhere(said)).toBe(false);
  expect(mayBeStored(said)).toBe(false);
  const body = JSON.stringify({ error: [{ message: said }] });
  expect(fateOfWrite({ status: 500, body })).toBe('ended');
});

test('after an index error the object may be stored; an error about a property named shard means that it is not', () => {
  expect(mayBeStored('store: import into index place: shard x: update vector index: insert doc id 5')).toBe(
    true,
  );
  expect(mayBeStored('put local object: shard="x": update inverted indices: no bucket')).toBe(true);
  expect(mayBeStored("invalid text property 'shard' on class 'P': not a string")).toBe(false);
});
