import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { watchHeads, type Parser } from '../../../src/kernel/http/heads';
import { until } from '../../support/until';

let server: Server;
let requests: string[];
interface Head {
  readonly lines: readonly string[];
  readonly method: number;
  readonly url: string;
}

let heads: Head[];
let takes: (head: Head) => boolean;
/** Whom the parser of the latest connection tells of heads: before it was watched, meanwhile, and at its end. */
let told: { before: unknown; meanwhile: unknown; after(): unknown };

beforeEach(async () => {
  [requests, heads] = [[], []];
  takes = () => false;
  server = createServer((request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('ordinary');
  });
  server.on('connection', (socket: Socket & { parser: Parser }) => {
    const { parser } = socket;
    const event = (parser.constructor as unknown as { kOnHeadersComplete: number }).kOnHeadersComplete;
    const before = parser[event];
    const undo = watchHeads(parser, (lines, method, url) => {
      const head = { lines, method, url };
      heads.push(head);
      if (!takes(head)) return false;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nquick');
      return true;
    });
    told = { before, meanwhile: parser[event], after: () => parser[event] };
    socket.on('close', undo);
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Says one thing after the other on one connection, and gives all that was answered. */
async function say(...texts: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  for (const text of texts) {
    socket.write(text);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    heard += bytes.toString();
  }
  socket.destroy();
  return heard;
}

const GET = 'GET /a?b=1 HTTP/1.1\r\nHost: x\r\nX-One: 1\r\n\r\n';

test('a head that is taken becomes no request, and what follows on its connection is read as ever', async () => {
  takes = ({ url }) => url === '/a?b=1';
  const heard = await say(GET, GET, GET.replace('/a', '/other'), GET);
  expect(heard.match(/quick|ordinary/g)).toEqual(['quick', 'quick', 'ordinary', 'quick']);
  expect(requests).toEqual(['GET /other?b=1']);
  expect(heads[0]).toMatchObject({ url: '/a?b=1', lines: ['Host', 'x', 'X-One', '1'] });
});

test('methods are told apart', async () => {
  await say(GET, GET.replace('GET', 'DELETE'), GET);
  const [first, second, third] = heads.map(({ method }) => method);
  expect(third).toBe(first);
  expect(second).not.toBe(first);
});

test('nobody is asked about what does not keep its connection, or is of another version', async () => {
  takes = () => true;
  await say(GET.replace('X-One: 1', 'Connection: close'));
  await say(GET.replace('HTTP/1.1', 'HTTP/1.0').replace('X-One: 1', 'Connection: keep-alive'));
  expect(heads).toEqual([]);
  expect(requests).toHaveLength(2);
});

test('when the connection ends, or is no longer HTTP, the parser is as Node made it', async () => {
  await say(GET);
  expect(told.meanwhile).not.toBe(told.before);
  await until(() => told.after() === told.before);
  const heard = await say('GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
  expect(heard).toContain('101 Switching');
  expect(told.after()).toBe(told.before);
  expect(heads).toHaveLength(1);
});

test('a parser that has gone to another connection asks nobody', async () => {
  takes = () => true;
  const asked: string[] = [];
  server.on('connection', (socket: Socket & { parser: { socket: unknown } }) => {
    const parser = socket.parser as unknown as Parser;
    // As if it were watched for a connection before this one.
    Object.assign(parser, { socket: null });
    watchHeads(parser, (_, __, url) => asked.push(url) > 0);
    Object.assign(parser, { socket });
  });
  expect(await say(GET)).toContain('quick');
  expect(asked).toEqual([]);
});
