// A short test with a live Kamailio. test/cluster/telephony/kamailio.test.ts has the rest.
import { addInstance } from '../../src/telephony/commands/sites/change-instances';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { register, startKamailio, type Kamailio } from '../cluster/telephony/kamailio-process';

const UUID = '20000000-0000-4000-8000-000000000001';
const DOMAIN = 'one.example';

let stack: TelephonyStack;
let kamailio: Kamailio;

beforeAll(async () => {
  kamailio = await startKamailio();
  stack = await openTelephony();
  const { id: companyId } = (await stack.people.owner('GET', '/system/company')).body;
  const { username, password, host, pathname } = new URL(kamailio.databaseUrl);
  await addInstance(stack.worker, {
    companyId,
    backend: 'kamailio',
    address: `mysql://${host}${pathname}`,
    uuid: UUID,
    details: { external_domain: DOMAIN, rpc: kamailio.rpc },
    credentials: `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  });
});
afterAll(async () => {
  await stack.close();
  await kamailio.stop();
});

test('A created extension registers with its secret, and a deleted one does not', async () => {
  const path = `/instances/${UUID}/bulks/extensions`;
  const made = (await stack.people.owner('POST', path, { data: { id: 301, name: 'Real' } })).body;
  const phone = (secret: string) => register({ port: kamailio.port, user: 301, domain: DOMAIN, secret });
  expect(await phone('wrong')).toBe(403);
  expect(await phone(made.data.secret)).toBe(200);
  expect((await stack.people.owner('DELETE', `${path}/${made._id}`)).status).toBe(200);
  expect(await phone(made.data.secret)).toBe(403);
});
