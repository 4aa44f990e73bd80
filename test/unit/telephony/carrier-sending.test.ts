import type { CarrierError, CarrierText } from '../../../src/telephony/carriers/carrier';
import { carrierNamed } from '../../../src/telephony/carriers/carriers';
import type { CarrierAccount, CarrierName, Credentials } from '../../../src/telephony/model/texting/carrier-account';
import { CARRIER_APIS, credentialsFor, REAL_CARRIERS } from '../../support/telephony/carrier-apis';
import { startCarrierServer, type CarrierServer } from '../../support/telephony/carrier-server';

/** Values that the tests of single carriers look for in requests. */
const CREDENTIALS: Readonly<Partial<Record<CarrierName, Credentials>>> = {
  telnyx: { api_key: 'KEY-hush', public_key: '', messaging_profile_id: 'profile-1' },
  twilio: { account_sid: 'AC0123', auth_token: 'hush' },
  bandwidth: { account_id: '9900000', application_id: 'app-1', username: 'api', password: 'hush' },
};
const credentialsOf = (carrier: CarrierName) => CREDENTIALS[carrier] ?? credentialsFor(carrier);
const TEXT = {
  id: '0123456789abcdef01234567',
  from: '+15550100001',
  to: '+15550109999',
  text: 'Grüße & more',
  mediaUrls: ['https://example.com/a.png', 'https://example.com/b.png'],
  webhookUrl: 'https://example.com/webhooks/texting/x/token',
} as unknown as CarrierText;

let server: CarrierServer;
beforeAll(async () => {
  server = await startCarrierServer();
});
afterAll(() => server.close());

const send = (carrier: CarrierName, deadlineMs = 5000) => {
  const account = { apiUrl: server.url, credentials: credentialsOf(carrier) } as CarrierAccount;
  return carrierNamed(carrier).send(account, TEXT, deadlineMs);
};
const failureOf = (sent: Promise<unknown>): Promise<CarrierError> =>
  sent.then(
    () => Promise.reject(new Error('it was sent')),
    (error: CarrierError) => error,
  );

test('A text for Telnyx is a POST of JSON to /v2/messages with our id as a tag', async () => {
  const sent = await send('telnyx');
  const seen = server.seen.at(-1)!;
  expect(seen).toMatchObject({ method: 'POST', path: '/v2/messages' });
  expect(seen.headers).toMatchObject({ authorization: 'Bearer KEY-hush', 'content-type': 'application/json' });
  expect(seen.fields).toEqual({
    from: '+15550100001',
    to: '+15550109999',
    text: 'Grüße & more',
    media_urls: TEXT.mediaUrls,
    messaging_profile_id: 'profile-1',
    webhook_url: TEXT.webhookUrl,
    tags: [TEXT.id],
  });
  expect(sent).toEqual({ carrierMessageId: seen.messageId, segments: 1 });
});

test('A text for Twilio is a form for Messages.json with our id in the address for receipts', async () => {
  const sent = await send('twilio');
  const seen = server.seen.at(-1)!;
  expect(seen).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC0123/Messages.json' });
  expect(seen.headers.authorization).toBe(`Basic ${Buffer.from('AC0123:hush').toString('base64')}`);
  expect([...new URLSearchParams(seen.body)]).toEqual([
    ['To', '+15550109999'],
    ['From', '+15550100001'],
    ['Body', 'Grüße & more'],
    ['MediaUrl', 'https://example.com/a.png'],
    ['MediaUrl', 'https://example.com/b.png'],
    ['StatusCallback', `${TEXT.webhookUrl}?send=${TEXT.id}`],
  ]);
  expect(sent).toEqual({ carrierMessageId: seen.messageId, segments: 1 });
});

test('A text for Bandwidth is a POST to the messages of the account with our id as the tag', async () => {
  const sent = await send('bandwidth');
  const seen = server.seen.at(-1)!;
  expect(seen).toMatchObject({ method: 'POST', path: '/api/v2/users/9900000/messages' });
  expect(seen.headers.authorization).toBe(`Basic ${Buffer.from('api:hush').toString('base64')}`);
  expect(seen.fields).toEqual({
    applicationId: 'app-1',
    to: ['+15550109999'],
    from: '+15550100001',
    text: 'Grüße & more',
    media: TEXT.mediaUrls,
    tag: TEXT.id,
  });
  expect(sent).toEqual({ carrierMessageId: seen.messageId, segments: 1 });
});

test('The simulated carrier accepts a text once under its id, and reports its delivery', async () => {
  const [first, again] = [await send('simulated'), await send('simulated')];
  expect(again).toEqual(first);
  const [call] = first.calls!;
  const news = carrierNamed('simulated').read({ url: '', body: call!.body, at: new Date() });
  expect(news).toMatchObject([{ receipt: { carrierMessageId: first.carrierMessageId, status: 'delivered' } }]);
});

test('A refusal of Bandwidth names the wrong fields, and survives field errors of another shape', async () => {
  const refusal = { type: 'request-validation', description: 'Your request could not be accepted.' };
  const fieldErrors = [
    { fieldName: 'from', description: "'+1555' must be replaced with a valid E.164 formatted telephone number" },
    { fieldName: 'text', description: 'may not be empty' },
  ];
  server.mood({ status: 400, body: { ...refusal, fieldErrors } });
  expect(await failureOf(send('bandwidth'))).toMatchObject({
    trouble: 'refused',
    code: 'request-validation',
    message:
      "Your request could not be accepted. (from: '+1555' must be replaced with a valid E.164 formatted telephone " +
      'number; text: may not be empty)',
  });
  server.mood({ status: 400, body: { ...refusal, fieldErrors: 'all of them' } });
  expect(await failureOf(send('bandwidth'))).toMatchObject({
    code: 'request-validation',
    message: refusal.description,
  });
});

describe.each(REAL_CARRIERS)('%s', (carrier) => {
  test('A refusal is final and has the code and words of the carrier', async () => {
    const { status, body, code, message } = CARRIER_APIS[carrier].refusal;
    server.mood({ status, body });
    expect(await failureOf(send(carrier))).toMatchObject({ trouble: 'refused', code, message });
  });

  test.each([
    [401, 'refused'],
    [429, 'later'],
    [503, 'later'],
    [500, 'unknown'],
    [504, 'unknown'],
  ])('The status %d of a carrier is classified as %s', async (status, trouble) => {
    server.mood({ status });
    expect(await failureOf(send(carrier))).toMatchObject({ trouble, code: String(status) });
  });

  test('Silence, a cut connection and garbage leave the outcome unknown', async () => {
    server.mood('hang');
    expect(await failureOf(send(carrier, 100))).toMatchObject({ trouble: 'unknown', code: 'timeout' });
    server.mood('cut');
    expect(await failureOf(send(carrier))).toMatchObject({ trouble: 'unknown', code: 'cut' });
    server.mood('garbage');
    expect(await failureOf(send(carrier))).toMatchObject({ trouble: 'unknown', code: 'no_answer' });
  });

  test('A text for an unreachable server was not accepted, and the error contains no secret', async () => {
    const closed = await startCarrierServer();
    await closed.close();
    const gone = { apiUrl: closed.url, credentials: credentialsOf(carrier) } as CarrierAccount;
    const failure = await failureOf(carrierNamed(carrier).send(gone, TEXT, 1000));
    expect(failure).toMatchObject({ trouble: 'later', code: 'unreachable' });
    expect(failure.message).not.toContain('hush');
  });
});
