/** A proxy in front of an Asterisk that loses requests or responses when a test says so. */
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxiedCall {
  readonly method: string;
  /** Type and number of a PJSIP object, such as `auth/301`; of the AMI `ami/` and the action; otherwise the whole path. */
  readonly object: string;
}

/**
 * `lose-answer`: Asterisk carries it out, and the response is lost. `lose-request`: Asterisk never gets it.
 * `only-say-yes`: Asterisk never gets it, and the response says that it was done.
 */
export type Fate = 'pass' | 'lose-answer' | 'lose-request' | 'only-say-yes';

export interface AriProxy {
  readonly url: string;
  /** Decides about each call from now on; without an argument all calls pass. */
  decide(fate?: (call: ProxiedCall) => Fate | Promise<Fate>): void;
  /** The calls that change something, since the last read. */
  changes(): string[];
  /** True: cuts the WebSockets that are open, and refuses others. */
  refuseSockets(isRefusing: boolean): void;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function askAsterisk(port: number, asked: IncomingMessage, body: Buffer): Promise<Reply> {
  const { method, url, headers } = asked;
  return new Promise((resolve, reject) => {
    // No keep-alive: an Asterisk that is killed would break the connections.
    const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false } as const;
    const call = forward(options, (answer) => {
      bodyOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
        reject,
      );
    });
    call.once('error', reject);
    call.end(body);
  });
}

const YES = {
  put: { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('[]') },
  ami: { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('Response: Success\r\n\r\n') },
  delete: { status: 204, headers: {}, body: Buffer.alloc(0) },
} satisfies Record<string, Reply>;

function yesTo(method: string, object: string): Reply {
  if (object.startsWith('ami/')) return YES.ami;
  return method === 'PUT' ? YES.put : YES.delete;
}

export async function openAriProxy(port: number): Promise<AriProxy> {
  let fate: Parameters<AriProxy['decide']>[0];
  const changes: string[] = [];

  async function pass(request: IncomingMessage): Promise<Reply | undefined> {
    const { method = '', url = '' } = request;
    const body = await bodyOf(request);
    const action = url === '/rawman' ? new URLSearchParams(body.toString()).get('Action') : null;
    const object = action === null ? url.replace(/^.*\/res_pjsip\//, '') : `ami/${action}`;
    if (method !== 'GET') changes.push(`${method} ${object}`);
    const decided = (await fate?.({ method, object })) ?? 'pass';
    if (decided === 'lose-request') return undefined;
    if (decided === 'only-say-yes') return yesTo(method, object);
    const reply = await askAsterisk(port, request, body);
    return decided === 'pass' ? reply : undefined;
  }

  const server = createServer((request, response) => {
    pass(request).then(
      (reply) => (reply ? response.writeHead(reply.status, reply.headers).end(reply.body) : request.socket.destroy()),
      () => request.socket.destroy(),
    );
  });
  /** WebSockets, both ends. */
  const open = new Set<Duplex>();
  let areRefused = false;
  server.on('upgrade', (request, socket, head) => {
    if (areRefused) return void socket.destroy();
    const to = connect(port, '127.0.0.1');
    const lines = request.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
    to.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    to.write(head);
    socket.pipe(to).pipe(socket);
    for (const [one, other] of [
      [socket, to],
      [to, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    decide: (by) => void (fate = by),
    changes: () => changes.splice(0),
    refuseSockets(isRefusing) {
      areRefused = isRefusing;
      if (isRefusing) for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
