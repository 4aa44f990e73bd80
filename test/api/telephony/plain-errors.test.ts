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

const EXTENSIONS = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const RECIPIENT =
  'must be a telephone number such as +15550100003, {"number": "+15550100003"} or {"id": "…"} of a contact';

test.each([
  ['POST', '/texting/contacts', {}, 'number: is required'],
  ['POST', `${EXTENSIONS}/check`, {}, 'email: is required; id: is required'],
  ['POST', `${EXTENSIONS}/check`, { email: 'x', id: 0 }, 'id: must be at least 1'],
  ['POST', EXTENSIONS, { data: { id: 1.5, name: 'x' } }, 'data.id: must be a whole number'],
  ['POST', EXTENSIONS, { data: { id: 1, name: {} } }, 'data.name: must be text'],
  [
    'POST',
    EXTENSIONS,
    { data: { id: 1, name: 'x', voicemail_email: 'a@b\n' } },
    'data.voicemail_email: must be one line',
  ],
  ['POST', EXTENSIONS, { data: { id: 1, name: 'x', password: 'a\nb' } }, 'data.password: must be one line'],
  ['POST', EXTENSIONS, { outbound_callerid: { value: 'a\r\nb' } }, 'outbound_callerid.value: must be one line'],
  ['POST', EXTENSIONS, { outbound_callerid: { name: 'a\nb' } }, 'outbound_callerid.name: must be one line'],
  ['POST', EXTENSIONS, { data: [] }, 'data: must be an object'],
  ['POST', EXTENSIONS, { purpose: 'toaster' }, 'purpose: must be one of "ip-phone", "mobile-app", "softphone"'],
  [
    'GET',
    `${EXTENSIONS}?filter_by=x`,
    undefined,
    'filter_by: must be one of "unassigned", "softphone", "failed", "unregistered"',
  ],
  ['GET', '/fax/messages?is_read=maybe', undefined, 'is_read: must be true or false'],
  ['GET', '/fax/messages?is_read=7', undefined, 'is_read: must be true or false'],
  ['PATCH', '/company', { revenue: -1 }, 'revenue: must be at least 0'],
  ['PATCH', '/company', { revenue: 1.5 }, 'revenue: must be a whole number'],
  [
    'PATCH',
    '/company',
    { phone: 5, website: 'x'.repeat(256) },
    'phone: must be text; website: must have at most 255 characters',
  ],
  ['PATCH', '/company', { affiliate: 'maybe' }, 'affiliate: must be true or false'],
  ['POST', '/texting/conversations', { recipients: 'x' }, 'recipients: must be a list'],
  ['POST', '/texting/conversations', { recipients: [{}] }, `recipients.0: ${RECIPIENT}`],
  ['POST', '/texting/conversations', { recipients: ['12'] }, `recipients.0: ${RECIPIENT}`],
  ['POST', '/fax/messages', { to: '+15550109999', file: 'none' }, 'file: there is no file none in this company'],
])('The request %s %s with %j is refused in plain words: %s', async (method, path, body, detail) => {
  const answer = await people.owner(method, path, body);
  expect(answer).toMatchObject(problem(400));
  expect(answer.body.detail).toBe(detail);
});

test.each([
  ['PATCH', '/company'],
  ['POST', '/company/contacts'],
  ['POST', EXTENSIONS],
])('The request %s %s with a list as its body is refused', async (method, path) => {
  for (const body of [[], [{ name: 'x' }]]) {
    const answer = await people.owner(method, path, body);
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toBe('The body must be a JSON object, not a list');
  }
});
