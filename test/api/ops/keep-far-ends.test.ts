import { companyKeeper } from '../../../src/telephony/commands/companies/keep-tenants';
import { bearer } from '../../support/http/client';
import { telephonyIn } from '../../support/kernel/parts';
import { operator, type OperatorClient } from '../../support/operators';
import { credentialsFor } from '../../support/telephony/carrier-apis';
import { startCarrierServer, type CarrierServer } from '../../support/telephony/carrier-server';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

let stack: TelephonyStack;
let carrier: CarrierServer;
let ada: OperatorClient;
let tenant: string;

beforeAll(async () => {
  stack = await openTelephony();
  carrier = await startCarrierServer();
  ada = await operator(stack.node.kernel, stack.node, 'ada', 'full');
  const { body } = await ada.post('/tenants/company', { name: 'Sparrow Ltd', owner_email: 'jo@sparrow.example' });
  ({ tenant } = body);
});
afterAll(async () => {
  await stack.close();
  await carrier.close();
});

const send = (method: string, path: string, json?: object) =>
  stack.node.call(`/ops/api${path}`, { method, headers: bearer(ada.key), ...(json && { json }) });
const last = async () => (await ada.get('/audit', { limit: '1' })).body.entries[0];

test('A company is added in the console, and its owner is invited by mail, again if that is wanted', async () => {
  const mails = async () =>
    (await stack.worker.mysql('kernel_mail').where({ mailbox: 'portal-mail' }).orderBy('id')).map(
      ({ body }: { body: string }) => JSON.parse(body),
    );
  const { body } = await ada.post('/tenants/company', { name: 'Wren Ltd', owner_email: 'kim@wren.example' });
  expect(body.invitation).toEqual({ email: 'kim@wren.example', link: null });
  expect((await mails()).at(-1)).toMatchObject({ purpose: 'invitation', companyId: body.id });
  const again = await ada.post(`/tenants/company/${body.id}/invite`);
  expect(again).toMatchObject({ status: 200, body: body.invitation });
  expect(await last()).toMatchObject({ action: 'invite', target: `tel:${body.id} kim@wren.example` });
  expect((await ada.post('/tenants/company/4711/invite')).status).toBe(404);
  expect((await ada.post('/tenants/organisation/1/invite')).status).toBe(404);

  const { kernel } = stack.node;
  const silent = companyKeeper({
    ...telephonyIn(stack.node).settings,
    nodeEnv: 'production',
    smtpUrl: '',
    publicUrl: 'https://phones.example',
  });
  const { link } = await silent.invite!(kernel, body.id, 'de');
  expect(link).toMatch(/^https:\/\/phones\.example\/portal\/enter#\w+$/);
});

test('A PBX is connected, tested in words, changed and disconnected, and its credentials are never shown', async () => {
  const uuid = '00000000-0000-4000-8000-000000000001';
  const { kinds } = (await ada.get('/far-ends')).body;
  const form = kinds.find(({ kind }: { kind: string }) => kind === 'pbx');
  expect(form.types.find(({ type }: { type: string }) => type === 'freepbx').fields).toContainEqual({
    name: 'credentials',
    kind: 'secret',
    is_required: true,
  });
  const draft = { tenant, type: 'freepbx', fields: { address: `${stack.pbx.url}/freepbx/${uuid}` } };
  expect((await ada.post('/far-ends/pbx', draft)).body.detail).toBe('fields.credentials: is required');
  for (const [change, detail] of [
    [{ type: 'nothing' }, /^type: there is no "nothing"/],
    [{ fields: { ...draft.fields, colour: 'red' } }, /^fields\.colour: /],
    [{ fields: { credentials: 'a:b', address: 'not an address' } }, /is no address/],
  ] as const)
    expect((await ada.post('/far-ends/pbx', { ...draft, ...change })).body.detail).toMatch(detail);

  const wrong = { ...draft, fields: { ...draft.fields, credentials: 'partyline:canary-4711' } };
  const made = await ada.post('/far-ends/pbx', wrong);
  expect(made).toMatchObject({ status: 200, body: { kind: 'pbx', shown: {} } });
  const path = `/far-ends/pbx/${made.body.id}`;
  expect((await ada.post(`${path}/test`, { fields: {} })).body).toMatchObject({
    is_well: false,
    detail: expect.stringContaining('credentials'),
  });
  const [listed] = (await ada.get('/far-ends', { search: made.body.id })).body.far_ends;
  expect(listed).toMatchObject({ tenant_name: 'Sparrow Ltd', state: 'failing' });

  const kept = (await ada.get(path)).body;
  expect(kept).toMatchObject({ type: 'freepbx', tenant, fields: { address: draft.fields.address, domain: '' } });
  const changed = await send('PATCH', path, {
    fields: { ...kept.fields, domain: 'sip.sparrow.example', credentials: 'partyline:canary-0815' },
  });
  expect(changed.status).toBe(200);
  const { action, target } = await last();
  expect([action, target]).toEqual([
    'change',
    `${tenant} pbx ${made.body.id} domain: – → sip.sparrow.example; credentials: ********`,
  ]);
  expect((await ada.get(path)).body.fields.domain).toBe('sip.sparrow.example');
  await send('PATCH', path, { fields: { ...kept.fields, domain: '' } });
  expect((await ada.get(path)).body.fields.domain).toBe('');
  const everything = JSON.stringify([
    await ada.get(path),
    await ada.get('/far-ends'),
    await ada.get('/audit'),
    await stack.worker.mysql('tel_instances'),
  ]);
  expect(everything).not.toContain('canary');
  expect((await send('DELETE', path)).status).toBe(200);
  expect((await ada.get(path)).status).toBe(404);
  expect((await ada.post('/far-ends/webhook', draft)).status).toBe(404);
});

test('A carrier account is connected with its numbers, says its webhook, and sends a test text', async () => {
  const fields = {
    ...credentialsFor('telnyx'),
    api_key: 'canary-4711',
    api_url: carrier.url,
    numbers: '+1 555 010 0777\n+15550100778',
  };
  const draft = { tenant, type: 'telnyx', fields };
  expect((await ada.post('/far-ends/carrier', { ...draft, fields: { ...fields, numbers: '12' } })).body.detail).toBe(
    'numbers: "12" is no telephone number: like +15550100001',
  );
  const { body } = await ada.post('/far-ends/carrier', draft);
  expect(body.shown.webhook_url).toMatch(/\/webhooks\/texting\/telnyx\/\w{40}$/);
  const path = `/far-ends/carrier/${body.id}`;
  const kept = (await ada.get(path)).body;
  expect(kept.fields).toMatchObject({ numbers: '+15550100777\n+15550100778', api_url: carrier.url });
  expect(JSON.stringify(kept)).not.toContain('canary');

  const test = (to: string) => ada.post(`${path}/test`, { fields: { to } });
  expect((await test('+15550200001')).body).toMatchObject({ is_well: true, detail: 'The carrier took the text' });
  expect(carrier.seen.at(-1)!.to).toBe('+15550200001');
  carrier.mood({ status: 401 });
  expect((await test('+15550200001')).body).toMatchObject({ is_well: false, detail: 'The carrier answered 401' });
  expect((await test('nobody')).status).toBe(400);

  await ada.post('/far-ends/carrier', { ...draft, fields: { ...fields, numbers: '+15550100779' } });
  const taken = await send('PATCH', path, { fields: { ...kept.fields, numbers: '+15550100779' } });
  expect(taken).toMatchObject({ status: 400, body: { detail: 'There is a number +15550100779 already' } });
  expect((await send('DELETE', path)).status).toBe(403);
  const emptied = await send('PATCH', path, { fields: { ...kept.fields, numbers: '' } });
  expect(emptied.body.shown).toEqual(body.shown);
  expect((await send('DELETE', path)).status).toBe(200);
});

test('An operator who may only look connects, tests and changes nothing', async () => {
  const rita = await operator(stack.node.kernel, stack.node, 'rita', 'read');
  const draft = { tenant, type: 'simulated', fields: { address: stack.pbx.url } };
  expect((await rita.post('/far-ends/pbx', draft)).status).toBe(403);
  const [{ kind, id }] = (await rita.get('/far-ends', { kind: 'pbx' })).body.far_ends;
  expect((await rita.post(`/far-ends/${kind}/${id}/test`)).status).toBe(403);
  expect((await rita.get(`/far-ends/${kind}/${id}`)).status).toBe(200);
});
