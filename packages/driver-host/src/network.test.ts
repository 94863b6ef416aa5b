import { createServer, type Server, type Socket } from 'node:net';
import type { Json } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { openScriptLink, type ScriptLink } from './testing/script-link.ts';

const read = `const answer = await dial({ signal });
  answer.write('hello');
  return String((await answer.take(1).toArray())[0]);`;

test('the app dials the host and port of the connection for the driver', async () => {
  const port = await listening((socket) => socket.on('data', (data) => socket.end(`${data} back`)));
  for (const host of ['127.0.0.1', 'localhost', ' 127.0.0.1 ']) {
    const link = await openScriptLink({ server: { host, port } });
    expect(await link.run(read)).toBe('hello back');
  }
});

test('host and port come from the saved connection: without a saved host, a dial fails', async () => {
  const port = await listening((socket) => socket.end('reached'));
  const link = await openScriptLink({ server: { host: '127.0.0.1', port }, saved: { port } });
  await expect(link.run('await dial({ signal })')).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a driver without a network gets no socket', async () => {
  const link = await openScriptLink();
  await expect(link.run('await dial({ signal })')).rejects.toMatchObject({ code: 'unsupported' });
});

test('a large answer and a large request arrive whole, also if the driver reads slowly', async () => {
  const size = 20_000_000;
  let received = 0;
  const port = await listening((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received === size) socket.end(Buffer.alloc(size, 7));
    });
  });
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const script = `
    const socket = await dial({ signal });
    socket.write(new Uint8Array(${size}));
    let length = 0;
    for await (const chunk of socket) {
      length += chunk.length;
      if (length < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
      if (chunk.some((byte) => byte !== 7)) return 'damaged';
    }
    return length;`;
  expect([await link.run(script), received]).toEqual([size, size]);
});

test('if a driver does not read a socket, the server can send only a limited amount on it, and other sockets go on', async () => {
  const sent: number[] = [];
  const port = await listening((socket) => {
    const index = sent.push(0) - 1;
    const chunk = Buffer.alloc(65_536);
    const counted = () => {
      sent[index]! += chunk.length;
    };
    const write = () => {
      while (!socket.destroyed && socket.write(chunk, counted));
    };
    socket.on('drain', write).on('error', () => {});
    write();
  });
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  await link.run('memory.idle = await dial({ signal })');
  const script = `
    const socket = await dial({ signal });
    let length = 0;
    for await (const chunk of socket) if ((length += chunk.length) > 50_000_000) break;
    return length > 50_000_000;`;
  expect(await link.run(script)).toBe(true);
  expect(sent[0]).toBeLessThan(20_000_000);
});

test('if a socket breaks, ends or is closed, the other side is notified', async () => {
  const ended: string[] = [];
  const port = await listening((socket) => {
    socket.on('data', (data) => {
      if (String(data) === 'reset') socket.resetAndDestroy();
      if (String(data) === 'end') socket.end('bye');
      if (String(data) === 'wait') socket.on('close', () => ended.push('close'));
    });
    socket.on('error', () => {});
  });
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const say = (word: string) => `
    const socket = await dial({ signal });
    socket.write('${word}');
    try { return String(Buffer.concat(await socket.toArray())); } catch (error) { return error.code; }`;
  expect(await link.run(say('reset'))).toBe('ECONNRESET');
  expect(await link.run(say('end'))).toBe('bye');
  await link.run("const socket = await dial({ signal }); socket.write('wait', () => socket.destroy())");
  await expect.poll(() => ended).toEqual(['close']);
  // An ended process leaves no socket open.
  await link.run("const socket = await dial({ signal }); socket.write('wait')");
  await link.close();
  await expect.poll(() => ended).toEqual(['close', 'close']);
});

test('a dial that fails says why, with host and port, and its stages are reported', async () => {
  const port = await closedPort();
  const stages: unknown[] = [];
  const dialled = async (server: { host: string; port: number }) => {
    stages.length = 0;
    const link = await openScriptLink({ server, onDial: (event) => stages.push(event) });
    return link.run('await dial({ signal })').catch(({ code, message }) => ({ code, message }));
  };
  expect(await dialled({ host: '127.0.0.1', port })).toEqual({
    code: 'connection_failed',
    message: `Connection failed: no server at 127.0.0.1:${port}`,
  });
  expect(stages).toEqual([
    { stage: 'resolve', state: 'begun' },
    { stage: 'resolve', state: 'done' },
    { stage: 'connect', state: 'begun' },
    {
      stage: 'connect',
      state: 'failed',
      reason: 'refused',
      message: `Connection failed: no server at 127.0.0.1:${port}`,
    },
  ]);
  expect(await dialled({ host: 'no-such-host.invalid', port: 80 })).toMatchObject({
    message: expect.stringMatching(/the host of no-such-host.invalid:80 (is unknown|could not be looked up)/),
  });
  expect(stages.at(-1)).toMatchObject({ stage: 'resolve', state: 'failed', reason: 'resolve_failed' });
  for (const host of ['', 'a b', '/tmp/socket', 'http://127.0.0.1', 'a/b', '\0abstract']) {
    expect(await dialled({ host, port })).toMatchObject({ code: 'invalid_argument' });
  }
  for (const wrong of [0, -1, 65_536, 1.5, Number.NaN]) {
    expect(await dialled({ host: '127.0.0.1', port: wrong })).toMatchObject({ code: 'invalid_argument' });
  }
});

test('a cancelled dial rejects with the code cancelled', async () => {
  const port = await listening(() => {});
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const script = `
    const controller = new AbortController();
    const dialling = dial({ signal: controller.signal });
    controller.abort();
    return await dialling.catch((error) => error.code);`;
  expect(await link.run(script)).toBe('cancelled');
});

const helpers = 'const require = (name) => process.getBuiltinModule(name);\n';

test.each([
  ['the same host, another port', (port: number) => connect(`{ host: '127.0.0.1', port: ${port} }`)],
  ['another address', (port: number) => connect(`{ host: '127.0.0.2', port: ${port} }`)],
  ['IPv6', (port: number) => connect(`{ host: '::1', port: ${port} }`)],
  ['a Unix socket', () => connect("{ path: '/run/dbus/system_bus_socket' }")],
  ['an abstract Unix socket', () => connect("{ path: '\\0trestle' }")],
  ['a name lookup', () => "return await require('dns').promises.lookup('leaked.example.com')"],
  ['a DNS query', () => "return await require('dns').promises.resolveTxt('leaked.example.com')"],
  [
    'a DNS server of its own',
    () => `
    const resolver = new (require('dns').promises.Resolver)();
    resolver.setServers(['127.0.0.1:53']);
    return await resolver.resolve4('leaked.example.com')`,
  ],
  ['a reverse lookup', () => "return await require('dns').promises.reverse('127.0.0.1')"],
  ['a lookup of a service', () => "return await require('dns').promises.lookupService('127.0.0.1', 80)"],
  ['fetch', (port: number) => `return (await fetch('http://127.0.0.1:${port}/')).status`],
  [
    'http',
    (port: number) => settled(`require('http').get('http://127.0.0.1:${port}/').on('response', resolve)`),
  ],
  [
    'http over a Unix socket',
    () => settled("require('http').get({ socketPath: '/run/x' }).on('response', resolve)"),
  ],
  ['https', (port: number) => settled(`require('https').get('https://127.0.0.1:${port}/')`)],
  [
    'http2',
    (port: number) => settled(`require('http2').connect('http://127.0.0.1:${port}').on('connect', resolve)`),
  ],
  [
    'tls',
    (port: number) => settled(`require('tls').connect(${port}, '127.0.0.1').on('secureConnect', resolve)`),
  ],
  [
    'a WebSocket',
    (port: number) => `return await new Promise((resolve, reject) => {
      const socket = new WebSocket('ws://127.0.0.1:${port}');
      socket.onopen = () => resolve('open');
      socket.onerror = () => reject(Object.assign(new Error('closed'), { code: 'ERR_ACCESS_DENIED' })); })`,
  ],
  [
    'an event stream',
    (port: number) =>
      `if (typeof EventSource === 'undefined') throw Object.assign(new Error(), { code: 'ERR_ACCESS_DENIED' });
       new EventSource('http://127.0.0.1:${port}')`,
  ],
  [
    'UDP',
    () =>
      settled(
        "require('dgram').createSocket('udp4'); emitter.send('x', 53, '127.0.0.1', (error) => error && reject(error))",
      ),
  ],
  ['a bound UDP socket', () => settled("require('dgram').createSocket('udp4').bind(0, resolve)")],
  [
    'a connected UDP socket',
    () =>
      settled(
        "require('dgram').createSocket('udp6'); emitter.connect(53, '::1', (error) => error ? reject(error) : resolve())",
      ),
  ],
  ['a listening port', () => settled("require('net').createServer().listen(0, resolve)")],
  ['a listening Unix socket', () => settled("require('net').createServer().listen('/tmp/x.sock', resolve)")],
  ['a listening abstract socket', () => settled("require('net').createServer().listen('\\0x', resolve)")],
  ['an http server', () => settled("require('http').createServer().listen(0, resolve)")],
])('a driver cannot use the network by itself: %s', async (_, script) => {
  let reached = 0;
  const other = await listening(() => void reached++);
  const own = await listening(() => {});
  for (const server of [undefined, { host: '127.0.0.1', port: own }]) {
    const link = await openScriptLink({ server });
    expect(await attempt(link, script(other))).toBe('ERR_ACCESS_DENIED');
  }
  expect(reached).toBe(0);
});

/**
 * A driver can make native sockets without the checks of `net`: it gets their classes from `process.stdout` and
 * `async_hooks`.
 */
const handles = `
  const Pipe = process.stdout._handle.constructor;
  const seen = {};
  const { createHook } = require('async_hooks');
  const hook = createHook({ init: (id, type, trigger, resource) => void (seen[type] = resource) }).enable();
  require('net').connect(1, '127.0.0.1').on('error', () => {});
  require('dgram').createSocket('udp4').on('error', () => {}).bind(0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  hook.disable();
  const [TCP, UDP] = [seen.TCPWRAP.constructor, seen.UDPWRAP.constructor];
  /** Some functions return their error. */
  const thrown = (value) => { if (value instanceof Error) throw value; return value; };
`;

test.each([
  ['connects a TCP handle', "new TCP(0).connect({}, '127.0.0.1', PORT)"],
  ['connects a TCP handle over IPv6', "new TCP(0).connect6({}, '::1', PORT)"],
  ['binds a TCP handle', "new TCP(1).bind('127.0.0.1', 0)"],
  ['connects a pipe handle', "new Pipe(0).connect({}, '/run/dbus/system_bus_socket')"],
  ['connects a pipe handle to an abstract name', "new Pipe(0).connect({}, '\\0name')"],
  ['binds a pipe handle', "new Pipe(1).bind('/tmp/trestle-test.sock')"],
  ['binds a UDP handle', "new UDP().bind('127.0.0.1', 0, 0)"],
  ['connects a UDP handle', "new UDP().connect('127.0.0.1', PORT)"],
  ['makes a server handle', "require('net')._createServerHandle('127.0.0.1', 0, 4)"],
  ['makes a server handle of a path', "require('net')._createServerHandle('/tmp/trestle-test.sock', -1, -1)"],
])('a driver that %s is refused', async (_, script) => {
  let reached = 0;
  const other = await listening(() => void reached++);
  const link = await openScriptLink({ server: { host: '127.0.0.1', port: await listening(() => {}) } });
  const outcome = await attempt(
    link,
    `${handles} return thrown(${script.replaceAll('PORT', String(other))})`,
  );
  expect([outcome, reached]).toEqual(['ERR_ACCESS_DENIED', 0]);
});

test.each([
  ['bytes that are not a frame', 'Buffer.alloc(64, 255)', 'wrote an invalid frame to its socket pipe'],
  [
    'a frame that is too long',
    'frame(7, 1, Buffer.alloc(0), 2 ** 31)',
    'wrote an invalid frame to its socket pipe',
  ],
  [
    'a dial that names a host',
    "frame(1, 9, Buffer.from('127.0.0.2:22'))",
    'sent an invalid request for a socket',
  ],
  [
    'two dials with one socket id',
    'Buffer.concat([frame(1, 9), frame(1, 9)])',
    'sent an invalid request for a socket',
  ],
  [
    'more data than the socket takes',
    'Buffer.concat([frame(1, 9), ...Array.from({ length: 40 }, () => frame(4, 9, Buffer.alloc(65536)))])',
    'sent more than its socket takes',
  ],
])('a driver that writes %s is stopped, and the app keeps running', async (_, bytes, offence) => {
  const port = await listening((socket) => void socket.pause());
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  await expect(
    link.run(`${helpers}${frames} write(${bytes}); await new Promise(() => {})`),
  ).rejects.toMatchObject({
    code: 'driver_crashed',
    message: `The Script driver was stopped because it ${offence}.`,
  });
  expect(await link.run('return 1')).toBe(1);
});

test('frames for unknown sockets are ignored', async () => {
  const port = await listening(() => {});
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const script = `for (const type of [2, 3, 4, 5, 6, 7]) write(frame(type, 4_000_000_000, Buffer.alloc(4, 255)));
    return 'sent'`;
  expect(await link.run(helpers + frames + script)).toBe('sent');
  expect(await link.run('return 1')).toBe(1);
});

test('a driver gets a bounded number of sockets, and is stopped if it keeps asking for more', async () => {
  let open = 0;
  const port = await listening((socket) => {
    open++;
    socket.on('close', () => open--).on('error', () => {});
  });
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const script = `
    const dials = await Promise.allSettled(Array.from({ length: 200 }, () => dial({ signal })));
    memory.sockets = dials.filter(({ status }) => status === 'fulfilled').length;
    return [memory.sockets, dials.find(({ status }) => status === 'rejected').reason.message]`;
  expect(await link.run(script)).toEqual([64, 'Connection failed: the driver has too many sockets open']);
  await expect.poll(() => open).toBe(64);
  await expect(
    link.run('for (;;) await Promise.allSettled(Array.from({ length: 500 }, () => dial({ signal })))'),
  ).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver was stopped because it asked for too many sockets.',
  });
  await expect.poll(() => open).toBe(0);
  expect(await link.run('return 1')).toBe(1);
});

test('a driver that opens and closes 400 sockets in a loop gets all of them', async () => {
  let accepted = 0;
  const port = await listening((socket) => {
    accepted++;
    socket.on('error', () => {});
  });
  const link = await openScriptLink({ server: { host: '127.0.0.1', port } });
  const script = `for (let count = 0; count < 400; count++) (await dial({ signal })).destroy(); return 'done'`;
  expect(await link.run(script)).toBe('done');
  expect(accepted).toBe(400);
});

const frames = `
  const frame = (type, id, body = Buffer.alloc(0), length = body.length) => {
    const header = Buffer.alloc(9);
    header.writeUInt8(type); header.writeUInt32LE(id, 1); header.writeUInt32LE(length, 5);
    return Buffer.concat([header, body]);
  };
  const write = (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      try { at += require('fs').writeSync(4, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
    }
  };
`;

function connect(options: string): string {
  return settled(`require('net').connect(${options}).on('connect', resolve)`);
}

/**
 * A script that waits for an event emitter. It returns when `text` calls `resolve`. It throws the emitter's error, or an
 * error after 5 seconds.
 */
function settled(text: string): string {
  return `return await new Promise((resolve, reject) => {
    const emitter = ${text};
    emitter.on('error', reject); setTimeout(() => reject(new Error('nothing happened')), 5000).unref(); })`;
}

async function attempt(link: ScriptLink, script: string): Promise<Json> {
  return link.run(`${helpers} try { return await (async () => { ${script} })(); } catch (error) {
    return error.code ?? error.cause?.code ?? String(error); }`);
}

/** Starts a server and returns its port. The server is closed when the test ends. */
async function listening(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as { port: number }).port;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
