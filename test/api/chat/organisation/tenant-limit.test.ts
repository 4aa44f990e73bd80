import { openOrganisations, type Organisation, type Organisations } from '../../../support/chat/organisations';

const MAX = 20;

let opened: Organisations;

beforeAll(async () => {
  opened = await openOrganisations({ TENANT_RATE_LIMIT: `60:${MAX}` });
});
afterAll(() => opened.cluster.close());

/** Like both of its users, each far below their own limit. */
const ask = ({ owner, member }: Organisation, count: number) =>
  (count % 2 === 0 ? owner : member).get('/streams').then(({ status, headers, body }) => ({ status, headers, body }));

test('An organisation over TENANT_RATE_LIMIT is refused with Retry-After, and others are not', async () => {
  const { acme, beta } = opened;
  const statuses: number[] = [];
  for (let count = 0; count < MAX + 5; count += 1) statuses.push((await ask(acme, count)).status);
  expect(statuses.slice(0, MAX / 2)).not.toContain(429);
  const refused = await ask(acme, 0);
  expect(refused).toMatchObject({ status: 429, body: { result: 'error' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(acme, 1)).status).toBe(429);
  expect((await ask(beta, 0)).status).toBe(200);
});

test('A company over TENANT_RATE_LIMIT is refused, and another company is not', async () => {
  const company = (key: string) =>
    opened.node
      .call('/system/company', { headers: { Authorization: `Bearer ${key}`, 'X-User-Id': 'primary' } })
      .then(({ status }) => status);
  const statuses: number[] = [];
  for (let count = 0; count < MAX + 5; count += 1) statuses.push(await company('demo-key-one'));
  expect(statuses[0]).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  expect(await company('demo-key-two')).toBe(200);
});
