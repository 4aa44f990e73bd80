// deploy/haproxy.cfg does what it says, shown on a real HAProxy in front of two nodes that live, fail and freeze.
import type http from 'node:http';
import net from 'node:net';
import { until } from '../../support/until';
import { checkConfig, pause, startHaproxy, startNode } from './haproxy-process';
import type { Haproxy, Node } from './haproxy-process';

describe('Load balancer', () => {
  let nodes: [Node, Node];
  let proxy: Haproxy;

  beforeAll(async () => {
    nodes = [await startNode('node-1'), await startNode('node-2')];
    proxy = await startHaproxy(nodes);
  });

  beforeEach(async () => {
    for (const node of nodes) node.reset();
    await until(async () => new Set([await get('/'), await get('/')]).size === 2);
    for (const node of nodes) node.seen.length = 0;
  });

  afterAll(async () => {
    await proxy?.stop();
    for (const node of nodes ?? []) await node.stop();
  });

  async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
    const reply = await fetch(`${proxy.url}${path}`, { headers });
    return reply.text();
  }

  const seen = (): string[] => nodes.flatMap((node) => node.seen);

  /** Sends these bytes and returns the response until the connection ends or becomes silent. */
  async function raw(text: string): Promise<string> {
    const socket = net.connect(proxy.port, '127.0.0.1');
    let answer = '';
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }

  it('The configuration of the load balancer is valid and causes no warnings', async () => {
    expect(await checkConfig(nodes)).toEqual({ code: 0, output: expect.not.stringContaining('WARNING') as string });
  });

  it('The load balancer starts where a process may open 20,000 files', async () => {
    const other = await startHaproxy(nodes, '/', 20_000);
    await other.stop();
  });

  describe('Distribution of requests', () => {
    it('The load balancer takes the nodes in turn', async () => {
      for (let i = 0; i < 10; i++) await get('/api/v1/messages');
      expect(nodes.map((node) => node.seen.length)).toEqual([5, 5]);
    });

    it('The load balancer loses no request while a node dies, takes the node out, and takes it back', async () => {
      await nodes[1].stop();
      const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => get(`/${i}`)));
      expect(new Set(answers)).toEqual(new Set(['node-1']));
      await until(() => proxy.log.join('').includes('Server nodes/node-2 is DOWN'));
      await nodes[1].start();
      await until(async () => (await get('/')) === 'node-2');
    });

    it('The load balancer gives a draining node no new requests and lets it finish those it has', async () => {
      const held: http.ServerResponse[] = [];
      for (const node of nodes) node.answer = (_, response) => void held.push(response);
      const answers = [get('/one'), get('/two')];
      await until(() => held.length === 2);
      for (const node of nodes) node.answer = (_, response) => void response.end(node.name);
      nodes[1].health = 503;
      await until(async () => new Set([await get('/'), await get('/'), await get('/')]).size === 1);
      // The node is still down after further checks, and its current requests stay open.
      const { checks } = nodes[1];
      await until(() => nodes[1].checks >= checks + 3);
      for (const response of held) response.end('finished');
      expect(await Promise.all(answers)).toEqual(['finished', 'finished']);
      expect(await Promise.all([get('/'), get('/'), get('/')])).toEqual(['node-1', 'node-1', 'node-1']);
    });
  });

  describe('Requests that are never sent twice', () => {
    const breaks: [string, http.RequestListener][] = [
      ['resets the connection', (request) => request.resume().once('end', () => request.socket.resetAndDestroy())],
      ['closes the connection', (request) => request.resume().once('end', () => request.socket.end())],
    ];

    const unknown = expect.stringMatching(/outcome is unknown.*same Idempotency-Key/) as string;

    it.each(breaks)(
      'The load balancer answers 504 to a POST when the node %s after reading it',
      async (_what, answer) => {
        for (const node of nodes) node.answer = answer;
        const chat = await fetch(`${proxy.url}/api/v1/messages`, { method: 'POST', body: 'content=once' });
        expect(chat.status).toBe(504);
        expect(await chat.json()).toEqual({ result: 'error', msg: unknown, code: 'GATEWAY_TIMEOUT' });
        const telephony = await fetch(`${proxy.url}/instances/1/bulks/extensions`, { method: 'POST', body: '{}' });
        expect(telephony.status).toBe(504);
        const problem = { type: 'about:blank', title: 'Gateway Timeout', status: 504, detail: unknown };
        expect(await telephony.json()).toEqual(problem);
        expect(telephony.headers.get('content-type')).toBe('application/json');
        for (const node of nodes) node.answer = (_, response) => void response.end(node.name);
        // A request that HAProxy repeated would have arrived before a later one.
        await get('/later');
        // The first request may have gone to either node.
        const later = ['GET /later', 'POST /api/v1/messages', 'POST /instances/1/bulks/extensions'];
        expect(seen().toSorted()).toEqual(later);
      },
    );

    it('The load balancer passes on a 502 of a node, and never makes one itself', async () => {
      for (const node of nodes) node.answer = (_, response) => void response.writeHead(502).end('nothing was done');
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(proxy.url, { method });
        expect([reply.status, await reply.text()]).toEqual([502, 'nothing was done']);
      }
    });

    it('The load balancer does not send a POST again when its response broke off in the middle', async () => {
      for (const node of nodes) {
        node.answer = (request, response) => {
          response.writeHead(200, { 'content-length': '100' }).write('half');
          setTimeout(() => request.socket.resetAndDestroy(), 50);
        };
      }
      const reply = await fetch(proxy.url, { method: 'POST', body: 'x' });
      await expect(reply.text()).rejects.toThrow('terminated');
      expect(seen()).toEqual(['POST /']);
    });

    it('The load balancer sends a POST to the other node when it cannot connect to the first', async () => {
      await nodes[0].stop();
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await fetch(proxy.url, { method: 'POST', body: 'x' })).status);
      await nodes[0].start();
      expect(statuses).toEqual([200, 200, 200, 200]);
      expect(seen()).toEqual(['POST /', 'POST /', 'POST /', 'POST /']);
    });
  });

  describe('Filtering of requests', () => {
    it('The load balancer passes the true address of the client to the nodes, whatever the client claims', async () => {
      for (const node of nodes) node.answer = (request, response) => void response.end(JSON.stringify(request.headers));
      const claims = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6', 'x-real-ip': '6.6.6.6' };
      const headers = JSON.parse(await get('/', { ...claims, 'x-forwarded-proto': 'https' })) as Record<string, string>;
      expect(JSON.stringify(headers)).not.toContain('6.6.6.6');
      expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    });

    it('The load balancer passes a valid request id on and replaces any other', async () => {
      for (const node of nodes) node.answer = (request, response) => void response.end(request.headers['x-request-id']);
      expect(await get('/', { 'x-request-id': 'abc-123' })).toBe('abc-123');
      expect(await get('/', { 'x-request-id': 'a b' })).toMatch(/^[0-9a-f-]{36}$/);
      expect(await get('/')).toMatch(/^[0-9a-f-]{36}$/);
      const twice = 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: one\r\nX-Request-Id: two\r\nConnection: close\r\n\r\n';
      expect(await raw(twice)).not.toMatch(/one|two/);
    });

    it.each([
      '/metrics',
      '/metrics/',
      '//metrics',
      '/METRICS',
      '/%6detrics',
      '/metrics?x',
      '/a/../metrics',
      '/a/%2e%2E/metrics',
      '/.\\metrics',
    ])('The load balancer blocks %s from outside', async (path) => {
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[03] /);
      expect(seen()).toEqual([]);
    });

    it.each([
      ['two different lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
      ['a transfer coding it does not know', 'Transfer-Encoding: chunked, x\r\nContent-Length: 5\r\n\r\nhello'],
      ['a blank before the colon', 'Content-Length : 5\r\n\r\nhello'],
    ])('The load balancer refuses a request with %s', async (_what, rest) => {
      expect(await raw(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`)).toMatch(/^HTTP\/1.1 (400|422|501) /);
      expect(seen()).toEqual([]);
    });

    it('The load balancer sees one request, not two, in a body with both a length and a transfer coding', async () => {
      const smuggled =
        'Content-Length: 44\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\nX: ';
      await raw(`POST / HTTP/1.1\r\nHost: x\r\n${smuggled}`);
      expect(seen().filter((line) => line.includes('smuggled'))).toEqual([]);
    });

    it('The load balancer logs one line per request without query, key or carrier token', async () => {
      await get('/api/v1/external/helloworld?api_key=hush-key&stream=general', { 'x-request-id': 'line-1' });
      await get('/webhooks/texting/simulated/hush-token?x=hush-too', { 'x-request-id': 'line-2' });
      await fetch(`${proxy.url}/post?x=hush-too`, { method: 'POST', headers: { 'x-request-id': 'line-3' } });
      await until(() => proxy.log.join('').includes('line-3'));
      await pause(100);
      expect(proxy.log.join('')).toMatch(
        /127\.0\.0\.1 line-1 GET \/api\/v1\/external\/helloworld 200 \d+ nodes\/node-\d /,
      );
      expect(proxy.log.join('')).toMatch(/line-2 GET \/webhooks\/texting\/simulated 200 /);
      expect(proxy.log.join('')).toMatch(/^127\.0\.0\.1 line-3 POST \/post 200 \d+ nodes\/node-\d /m);
      expect(proxy.log.join('').match(/line-3/g)).toHaveLength(1);
      expect(proxy.log.join('')).not.toContain('hush');
    });

    it('The load balancer closes its connection to the node when the client hangs up during a poll', async () => {
      let hasEnded = false;
      for (const node of nodes) node.answer = (_, response) => void response.once('close', () => (hasEnded = true));
      const poll = fetch(`${proxy.url}/api/v1/events`, { signal: AbortSignal.timeout(200) });
      await expect(poll).rejects.toThrow('aborted');
      await until(() => hasEnded);
    });
  });
});
