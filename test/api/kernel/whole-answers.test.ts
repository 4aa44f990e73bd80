import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { openBareNode, type BareNode } from '../../support/http/bare-node';

let node: BareNode;

beforeAll(async () => {
  node = await openBareNode();
});
afterAll(() => node.close());

interface Heard {
  readonly status: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends it unchanged and reads the bytes of the responses, up to the end of the last one. */
function heard(request: string, answers = 1): Promise<Heard[]> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const socket = connect({ port: node.port, host: '127.0.0.1' }, () => void socket.write(request));
    const look = (isOver: boolean) => {
      const all = answersIn(bytes.toString('latin1'), isOver);
      if (all.length < answers) return;
      socket.destroy();
      resolve(all);
    };
    socket.on('data', (more) => look(((bytes = Buffer.concat([bytes, more])), false)));
    socket.on('end', () => look(true));
    socket.on('close', () => reject(new Error(`no more came than ${bytes.toString('latin1')}`)));
  });
}

function answersIn(text: string, isOver: boolean): Heard[] {
  const found: Heard[] = [];
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const end = rest.indexOf('\r\n\r\n');
    const [status = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
    const length = Number(headers.get('Content-Length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length && !isOver) return found;
    found.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

const requestOf = (start: string, headers: Readonly<Record<string, string>> = {}, body = ''): string =>
  [
    start,
    ...Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ].join('\r\n') + `\r\n\r\n${body}`;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const SETTINGS = '/api/v1/server_settings';

function signedText(more: Readonly<Record<string, string>> = {}): string {
  const body = JSON.stringify({ id: 'whole-1', from: '+15550109999', to: '+15550100001', text: 'Hello' });
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'demo-secret-one').update(`${at}.${body}`).digest('hex');
  const headers = { 'X-Signature': `t=${at},v1=${signature}`, 'Content-Type': 'application/json', ...more };
  return requestOf('POST /webhooks/texting/simulated/demo-carrier-one HTTP/1.1', headers, body);
}

/** Headers about the connection, or with values that differ each time. */
const PASSING = new Set(['Connection', 'Keep-Alive', 'Date', 'X-Request-Id']);
const lasting = ({ headers }: Heard) => [...headers].filter(([name]) => !PASSING.has(name));

describe('Responses on a kept-alive connection', () => {
  test.each([
    ['with a body', (more: object) => requestOf(`GET ${SETTINGS} HTTP/1.1`, { ...more })],
    ['without a body', (more: object) => signedText({ ...more })],
    ['with an error', (more: object) => requestOf('GET /api/v1/users/me HTTP/1.1', { ...more })],
  ])('A response %s is the same on a kept-alive connection and on one that ends', async (_, request) => {
    const began = Date.now();
    const [kept] = (await heard(request({}))) as [Heard];
    const [last] = (await heard(request({ Connection: 'close' }))) as [Heard];
    expect([kept.status, lasting(kept), kept.body]).toEqual([last.status, lasting(last), last.body]);
    expect(kept.headers.get('Connection')).toBe('keep-alive');
    expect(kept.headers.get('Keep-Alive')).toMatch(/^timeout=\d+$/);
    expect(kept.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    // In whole seconds, at the time of the response.
    expect(Date.parse(kept.headers.get('Date')!)).toBeGreaterThan(began - 2000);
    expect(Date.parse(kept.headers.get('Date')!)).toBeLessThanOrEqual(Date.now());
    expect(last.headers.get('Connection')).toBe('close');
  });

  test('A response without a body has neither Content-Length nor Content-Type', async () => {
    const [{ status, headers }] = (await heard(signedText())) as [Heard];
    expect(status).toBe('HTTP/1.1 204 No Content');
    expect([headers.has('Content-Length'), headers.has('Content-Type')]).toEqual([false, false]);
  });

  test('The Content-Length of a response counts bytes', async () => {
    const headers = { Authorization: node.authorization, ...FORM };
    const request = requestOf('POST /api/v1/messages/render HTTP/1.1', headers, 'content=café €uro');
    const answers = await heard(request + request, 2);
    for (const { body } of answers) expect(JSON.parse(body)).toMatchObject({ rendered: '<p>café €uro</p>' });
  });

  test('A response to HEAD has headers only, and the next response follows it', async () => {
    const next = requestOf(`GET ${SETTINGS} HTTP/1.1`, { Connection: 'close' });
    const socket = connect({ port: node.port, host: '127.0.0.1' });
    socket.write(requestOf(`HEAD ${SETTINGS} HTTP/1.1`) + next);
    let text = '';
    for await (const bytes of socket as AsyncIterable<Buffer>) text += bytes.toString('utf8');
    const [, head = '', whole = ''] = text.split(/^HTTP\/1\.1 200 OK\r\n/m);
    expect([head.endsWith('\r\n\r\n'), whole.endsWith('}')]).toEqual([true, true]);
    const lengthIn = (answer: string) => /^Content-Length: (\d+)/m.exec(answer)?.[1];
    expect(lengthIn(head)).toBe(lengthIn(whole));
  });

  test('A response to an HTTP/1.0 client ends the connection unless the client asked to keep it', async () => {
    const [once] = (await heard(requestOf(`GET ${SETTINGS} HTTP/1.0`))) as [Heard];
    expect([once.status, once.headers.get('Connection')]).toEqual(['HTTP/1.1 200 OK', 'close']);
    const [kept] = (await heard(requestOf(`GET ${SETTINGS} HTTP/1.0`, { Connection: 'keep-alive' }))) as [Heard];
    expect([kept.body, kept.headers.get('Connection')]).toEqual([once.body, 'keep-alive']);
    const old = signedText({ Connection: 'keep-alive' }).replace('HTTP/1.1', 'HTTP/1.0');
    const [bare] = (await heard(old)) as [Heard];
    expect([bare.status, bare.headers.get('Connection')]).toEqual(['HTTP/1.1 204 No Content', 'close']);
  });
});

describe('Finding a route', () => {
  test.each([
    ['by a whole address', `http://127.0.0.1${SETTINGS}`],
    ['by one with a fragment', `${SETTINGS}#here`],
    ['by one with a question mark alone', `${SETTINGS}?`],
    ['by one with a query', `${SETTINGS}?a=1&a=2`],
  ])('A route is found %s', async (_, address) => {
    const [usual] = (await heard(requestOf(`GET ${SETTINGS} HTTP/1.1`))) as [Heard];
    const [unusual] = (await heard(requestOf(`GET ${address} HTTP/1.1`))) as [Heard];
    expect([unusual.status, unusual.body]).toEqual(['HTTP/1.1 200 OK', usual.body]);
  });

  test('A route is found whatever the Host header has in front of the host', async () => {
    const [found] = (await heard(requestOf(`GET ${SETTINGS} HTTP/1.1`, { Host: 'somebody@127.0.0.1' }))) as [Heard];
    const [usual] = (await heard(requestOf(`GET ${SETTINGS} HTTP/1.1`))) as [Heard];
    expect(found.body).toBe(usual.body);
  });
});
