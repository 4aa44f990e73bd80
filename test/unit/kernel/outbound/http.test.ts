import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  OutboundHttp,
  type OutboundOptions,
  type OutboundRequest,
} from '../../../../src/kernel/outbound/outbound-http';

const open = new Set<Server | TcpServer>();

async function listening<S extends Server | TcpServer>(server: S): Promise<number> {
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => listening(createServer(listener));

afterEach(async () => {
  for (const server of open) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  open.clear();
});

/** As an operator would allow an internal server; every other name has a public address. */
const clientOf = (options: OutboundOptions = {}) =>
  new OutboundHttp({ networks: ['127.0.0.1'], hosts: { 'inside.example': '127.0.0.1' }, ...options });

const get = (port: number, limits: OutboundRequest['limits'] = {}): OutboundRequest => ({
  url: `http://inside.example:${port}/`,
  method: 'GET',
  limits,
});

const PRIVATE_HOSTS = (
  'inside.example localhost 127.0.0.1 127.1 0 0177.0.0.1 0x7f.1 2130706433 %31%32%37.0.0.1 \u2460\u2461\u2466.0.0.1 127.0.0.1. ' +
  '169.254.169.254 [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::7f00:1] [64:ff9b::7f00:1] [fe80::1] [fd00:ec2::254]'
).split(' ');

describe('Outbound requests', () => {
  test('A request returns status, headers, body and the address of the last redirect', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/page' }).end('moved');
      else response.writeHead(404, { 'x-seen': request.headers.host }).end(`no ${request.method} here`);
    });
    const { status, headers, body, url } = await clientOf().send(get(port));
    expect([status, headers['x-seen'], body.toString()]).toEqual([404, `inside.example:${port}`, 'no GET here']);
    expect(url).toBe(`http://inside.example:${port}/page`);
  });

  test('A request carries a body and headers', async () => {
    const port = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        response.end(JSON.stringify([method, headers['content-type'], Buffer.concat(chunks).toString()]));
      });
    });
    const body = 'à=1';
    const headers = { 'Content-Type': 'text/x' };
    const answer = await clientOf().send({ ...get(port), method: 'POST', headers, body });
    expect(JSON.parse(answer.body.toString())).toEqual(['POST', 'text/x', 'à=1']);
  });

  test('A request to a private address is never sent', async () => {
    let requests = 0;
    const port = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const client = clientOf({ networks: [], resolve: () => Promise.resolve(['127.0.0.1', '::1']) });
    for (const host of PRIVATE_HOSTS) {
      const asked = client.send({ url: `http://${host}:${port}/`, method: 'GET' });
      await expect(asked).rejects.toMatchObject({ trouble: 'forbidden' });
    }
    expect(requests).toBe(0);
  });

  test('A request that is redirected to a private address stops there', async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      seen.push(request.url!);
      response.writeHead(302, { location: `http://127.0.0.2:${port}/secret` }).end();
    });
    await expect(clientOf().send(get(port))).rejects.toMatchObject({ trouble: 'forbidden' });
    expect(seen).toEqual(['/']);
  });

  test('A request connects to the address that was checked, even if the name resolves to another later', async () => {
    const port = await serve((_, response) => void response.end('reached'));
    const answers = [['127.0.0.1'], ['127.0.0.3']];
    let asked = 0;
    const client = clientOf({ hosts: {}, resolve: () => Promise.resolve(answers[asked++] ?? []) });
    const request = { ...get(port), url: `http://rebound.example:${port}/` };
    expect((await client.send(request)).body.toString()).toBe('reached');
    expect(asked).toBe(1);
    // The name now resolves to an internal address that is not allowed.
    await expect(client.send(request)).rejects.toMatchObject({ trouble: 'forbidden' });
    expect(asked).toBe(2);
  });

  test('A request is counted by its outcome', async () => {
    const port = await serve((_, response) => void response.writeHead(503).end());
    const outcomes: string[] = [];
    const client = clientOf({ count: ({ outcome }) => void outcomes.push(outcome) });
    await client.send(get(port));
    await client.send({ url: 'http://10.0.0.1/', method: 'GET' }).catch(() => {});
    expect(outcomes).toEqual(['5xx', 'forbidden']);
  });
});

describe('Limits of outbound requests', () => {
  test('A request follows a limited number of redirects', async () => {
    let requests = 0;
    const port = await serve((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/' }).end();
    });
    await expect(clientOf().send(get(port, { redirects: 3 }))).rejects.toMatchObject({ trouble: 'redirects' });
    expect(requests).toBe(4);
  });

  test('A request does not read the bodies of redirects', async () => {
    const port = await serve((request, response) => {
      if (request.url !== '/') return void response.end('there');
      response.writeHead(302, { location: '/there', 'content-encoding': 'zz' }).write('never ends');
    });
    expect((await clientOf().send(get(port, { totalMs: 3000 }))).body.toString()).toBe('there');
  });

  test('A request fails if the headers of the response are too large', async () => {
    const port = await serve((_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(9000) }).end());
    const asked = clientOf().send(get(port, { headerBytes: 8192 }));
    await expect(asked).rejects.toMatchObject({ trouble: 'too-large' });
  });

  test('A request fails if the body of the response is too large, or cuts it if told to', async () => {
    const port = await serve((_, response) => void response.end('x'.repeat(100_000)));
    const asked = clientOf().send(get(port, { bodyBytes: 1000 }));
    await expect(asked).rejects.toMatchObject({ trouble: 'too-large' });
    const { body } = await clientOf().send(get(port, { bodyBytes: 1000, tooLarge: 'cut' }));
    expect(body.toString()).toBe('x'.repeat(1000));
  });

  const PACKED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

  test.each(Object.entries(PACKED))(
    'A response body compressed with %s is limited by its decompressed size',
    async (encoding, pack) => {
      const bomb = pack(Buffer.alloc(5_000_000, 'x'));
      const port = await serve((request, response) => {
        const body = request.url === '/small' ? pack(Buffer.from('small')) : bomb;
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      const small = await clientOf().send({ ...get(port), url: `http://inside.example:${port}/small` });
      expect(small.body.toString()).toBe('small');
      expect(bomb.length).toBeLessThan(100_000);
      const asked = clientOf().send(get(port, { bodyBytes: 100_000 }));
      await expect(asked).rejects.toMatchObject({ trouble: 'too-large' });
      const { body } = await clientOf().send(get(port, { bodyBytes: 100_000, tooLarge: 'cut' }));
      expect(body.length).toBe(100_000);
    },
  );

  test('A response with compressed bytes that decompress to nothing is limited too', async () => {
    const empty = gzipSync('');
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(Buffer.concat(Array.from({ length: 5000 }, () => empty)));
    });
    const asked = clientOf().send(get(port, { bodyBytes: 10_000 }));
    await expect(asked).rejects.toMatchObject({ trouble: 'too-large' });
  });

  test('A request fails if no byte arrives in time', async () => {
    const port = await serve((_, response) => void response.write('begun'));
    const asked = clientOf().send(get(port, { idleMs: 200, totalMs: 10_000 }));
    await expect(asked).rejects.toMatchObject({ trouble: 'timeout' });
  });

  test('A request fails at its total deadline even if bytes keep arriving', async () => {
    const port = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const asked = clientOf().send(get(port, { idleMs: 5000, totalMs: 600 }));
    await expect(asked).rejects.toMatchObject({ trouble: 'timeout' });
  });

  test('A request fails at its deadline if the name server takes too long', async () => {
    const client = clientOf({ resolve: () => new Promise(() => {}) });
    const asked = client.send({ url: 'http://slow.example/', method: 'GET', limits: { totalMs: 200 } });
    await expect(asked).rejects.toMatchObject({ trouble: 'timeout' });
  });

  test('The number of concurrent requests to one host is limited', async () => {
    let [now, most] = [0, 0];
    const port = await serve((_, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end();
      }, 50);
    });
    const client = clientOf({ perHost: 2 });
    await Promise.all(Array.from({ length: 6 }, () => client.send(get(port))));
    expect(most).toBe(2);
  });
});

describe('Errors of outbound requests', () => {
  test('A request fails with a named error if nothing listens at the address', async () => {
    const port = await serve(() => {});
    for (const server of open) await new Promise((resolve) => server.close(resolve));
    open.clear();
    await expect(clientOf().send(get(port))).rejects.toMatchObject({ trouble: 'unreachable' });
  });

  test.each([
    ['something that is no HTTP', 'hello\r\n\r\n', 'broken'],
    ['an unknown packing', 'HTTP/1.1 200 OK\r\ncontent-encoding: zz\r\n\r\nx', 'broken'],
    [
      'packed bytes that are none',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope',
      'broken',
    ],
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'unreachable'],
    ['nothing', '', 'unreachable'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'broken'],
  ])('A request fails with a named error if the server answers with %s', async (_, answer, trouble) => {
    const port = await listening(createTcpServer((socket) => socket.once('data', () => socket.end(answer))));
    await expect(clientOf().send(get(port))).rejects.toMatchObject({ trouble });
  });
});
