import { gzipSync } from 'node:zlib';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { INSTANCE_ONE, openPeople, problem, type People } from './people';

let cluster: Cluster;
let people: People;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  people = await openPeople(await cluster.node());
});
afterAll(() => cluster.close());

const IMPORT = `/instances/${INSTANCE_ONE}/bulks/extensions/import`;
const NUL = 'must not contain NUL characters';
const HALF = 'must not contain half a character (a lone surrogate)';

const NO_PROTO = 'The body must be a JSON object without a field named __proto__';

const describeAs = (raw: Uint8Array | string, headers: Record<string, string> = {}) =>
  people.owner('PATCH', '/company', undefined, { raw, headers: { 'Content-Type': 'application/json', ...headers } });
const descriptionNow = async () => (await people.owner('GET', '/system/company')).body.description as string;

const LATIN = Buffer.from('{"description":"caf\xe9"}', 'latin1');
/** Larger than a body that arrives in one packet with its headers. */
const LONG = Buffer.from(`{"website":"${' '.repeat(200_000)}","description":"caf\xe9"}`, 'latin1');

const PACKED = { 'Content-Encoding': 'gzip' };

describe('Bodies that are not UTF-8', () => {
  test.each([
    ['at once', LATIN, {}],
    ['in pieces', LONG, {}],
    ['packed', gzipSync(LATIN), PACKED],
    [
      'packed, with a type that is none',
      gzipSync(LATIN),
      { ...PACKED, 'Content-Type': 'application/json, text/plain' },
    ],
    ['with another kind of JSON', LATIN, { 'Content-Type': 'application/merge-patch+json' }],
  ])('A body that is not UTF-8 is refused when it arrives %s, and nothing is stored', async (_, raw, headers) => {
    const before = await descriptionNow();
    const answer = await describeAs(raw, headers);
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toBe('The body is not valid UTF-8');
    expect(await descriptionNow()).toBe(before);
  });

  test('A CSV body that is not UTF-8 is refused', async () => {
    const raw = Buffer.from('id,name\n700,Ren\xe9\n', 'latin1');
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await people.owner('POST', `${IMPORT}?dry_run=1`, undefined, { raw, headers });
    expect(answer).toMatchObject({ ...problem(400), body: { detail: 'The body is not valid UTF-8' } });
  });

  test('A compressed CSV body is read as its Content-Encoding says', async () => {
    const dryRun = (raw: Uint8Array | string, encoding: string, type = 'text/csv') =>
      people.owner('POST', `${IMPORT}?dry_run=1`, undefined, {
        raw,
        headers: { 'Content-Type': type, 'Content-Encoding': encoding },
      });
    const csv = gzipSync('id,name\n700,René\n');
    expect(await dryRun(csv, 'gzip')).toMatchObject({ status: 200, body: { rows: [{ number: 700 }] } });
    expect((await dryRun(csv, 'gzip', 'text/csv; header')).status).toBe(200);
    expect(await dryRun('id,name', 'gzip')).toMatchObject(problem(400));
    expect(await dryRun('id,name', 'zstd')).toMatchObject(problem(415));
    expect(await dryRun(gzipSync('x'.repeat(5_000_000)), 'gzip')).toMatchObject(problem(413));
  });

  test('A body that contains the replacement character is accepted', async () => {
    expect(await describeAs('{"description":"caf\ufffd \u{1f600}"}')).toMatchObject({ status: 200 });
    expect(await descriptionNow()).toBe('caf\ufffd \u{1f600}');
  });
});

describe('Broken text in JSON', () => {
  test.each([
    ['PATCH', '/company', { description: 'a\0b' }, `description: ${NUL}`],
    ['PATCH', '/company', { description: 'a\ud800b' }, `description: ${HALF}`],
    ['PATCH', '/company', { address: { city: '\0' }, phone: '\udc00' }, `address.city: ${NUL}; phone: ${HALF}`],
    ['POST', '/company/contacts', { first_name: 'A\0', work_email: 'nul@example.com' }, `first_name: ${NUL}`],
    ['POST', '/texting/contacts', { number: '+15550109988', last_name: '\0' }, `last_name: ${NUL}`],
    ['POST', '/texting/conversations', { recipients: ['+15550109988\0'] }, `recipients.0: ${NUL}`],
    ['POST', '/texting/conversations/none/messages', { text: 'hello\0' }, `text: ${NUL}`],
    ['POST', '/files', { name: 'a\ud83d.txt' }, `name: ${HALF}`],
    ['GET', '/system/company/contacts?first_name=%00', undefined, `first_name: ${NUL}`],
  ])('The request %s %s with %j is refused: %s', async (method, path, body, detail) => {
    const answer = await people.owner(method, path, body);
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toBe(detail);
  });

  test('Complete characters are accepted however they are escaped', async () => {
    expect(await describeAs('{"description":"\\ud83d\\ude00 \\\\ud800 \\\\u0000 \\u00e9"}')).toMatchObject({
      status: 200,
    });
    expect(await descriptionNow()).toBe('\u{1f600} \\ud800 \\u0000 é');
  });

  test('Broken text fails only its own row of a bulk order', async () => {
    const rows = [
      { data: { id: 701, name: 'Good' } },
      { data: { id: 702, name: 'Bad', voicemail_email: 'a\0@example.com' } },
    ];
    const { body } = await people.owner('POST', `${IMPORT}?dry_run=1`, rows);
    expect(body.rows).toMatchObject([{ status: 'ok' }, { status: 'failed', detail: `data.voicemail_email: ${NUL}` }]);
  });
});

describe('JSON of any kind', () => {
  test('A body of the type merge-patch+json is read, not treated as empty', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    expect(await describeAs('{"description":"merged"}', headers)).toMatchObject({ body: { description: 'merged' } });
  });

  test.each([
    ['no end', '{"description":"x"', 'Malformed JSON'],
    ['text alone', '"description"', 'The body must be a JSON object'],
    ['null alone', ' null', 'The body must be a JSON object'],
    ['a number alone', '1', 'The body must be a JSON object'],
    ['blanks alone', ' ', 'Malformed JSON'],
    ['a name that would change the object', '{"__proto__":1}', NO_PROTO],
    ['the same in another spelling', '{"address":{"\\u005f_proto__":{"city":"x"}}}', NO_PROTO],
    ['too many levels', `{"description":${'['.repeat(200)}${']'.repeat(200)}}`, 'levels deep'],
  ])('A JSON body with %s is refused', async (_, raw, detail) => {
    const answer = await describeAs(raw);
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toContain(detail);
  });

  test('An empty body changes nothing', async () => {
    expect(await describeAs('')).toMatchObject({ status: 200 });
  });
});
