import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { openBareNode, type BareNode } from '../../support/http/bare-node';

let node: BareNode;

beforeAll(async () => {
  node = await openBareNode();
});
afterAll(() => node.close());

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function request(type: string, body: string | Buffer, isLast = true): Buffer {
  const bytes = Buffer.from(body as string);
  const head = [
    'POST /api/v1/messages/render HTTP/1.1',
    'Host: x',
    `Authorization: ${node.authorization}`,
    `Content-Type: ${type}`,
    `Content-Length: ${bytes.length}`,
    ...(isLast ? ['Connection: close'] : []),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

/** Everything received after these pieces were sent with pauses in between. */
async function answerTo(...pieces: Buffer[]): Promise<string> {
  const socket = connect({ port: node.port, host: '127.0.0.1', noDelay: true });
  let heard = '';
  socket.on('data', (bytes) => (heard += bytes.toString('utf8')));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) {
    socket.write(piece);
    await wait(30);
  }
  await ended;
  return heard;
}

const rendered = (html: string) => `"rendered":${JSON.stringify(html)}`;

test('A body is read the same however it is split into packets', async () => {
  const whole = request(FORM, 'content=caf%C3%A9+ol%C3%A9');
  const cuts = [[whole], [whole.subarray(0, 60), whole.subarray(60)], [whole.subarray(0, -5), whole.subarray(-5)]];
  for (const pieces of cuts) {
    expect(await answerTo(...pieces)).toContain(rendered('<p>café olé</p>'));
  }
});

test('Requests that arrive in one packet are answered one after the other', async () => {
  const three = [
    request(FORM, 'content=one', false),
    request(JSON_TYPE, '{"content":"two"}', false),
    request(FORM, 'content=three'),
  ];
  const answers = (await answerTo(Buffer.concat(three))).match(/"rendered":"[^"]*"/g);
  expect(answers).toEqual([rendered('<p>one</p>'), rendered('<p>two</p>'), rendered('<p>three</p>')]);
});

test.each([
  [
    'a mark of the byte order',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"content":"x"}')]),
    '200 ',
  ],
  ['blanks before it', ' \n{"content":"x"}', '200 '],
  ['escaped letters', '{"content":"\\u0078"}', '200 '],
  ['no end', '{"content":"x"', 'Malformed JSON'],
  ['a name that would change the object', '{"__proto__":{"content":"x"}}', 'Malformed JSON'],
  ['the same in another spelling', '{"\\u005f_proto__":{"content":"x"}}', 'Malformed JSON'],
  ['text alone', '"content"', 'Malformed JSON'],
  ['nothing in it', '', "Missing 'content' argument"],
  ['too many levels', `{"content":${'['.repeat(200)}${']'.repeat(200)}}`, 'levels deep'],
])('JSON with %s is read or refused as usual, and the connection stays usable', async (_, body, expected) => {
  const [first = '', second = ''] = (await answerTo(request(JSON_TYPE, body, false), request(FORM, 'content=next')))
    .split(/(?=HTTP\/1\.1 )/)
    .slice(0, 2);
  expect(first).toContain(expected);
  if (expected === '200 ') expect(first).toContain(rendered('<p>x</p>'));
  expect(second).toContain(rendered('<p>next</p>'));
});
