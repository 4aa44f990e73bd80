// A short test with a live Asterisk. test/cluster/telephony/asterisk.test.ts kills it, loses its responses and makes
// calls.
import { hasPrograms } from '../../scripts/lib/test/test-programs';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../cluster/telephony/asterisk-stack';
import { openPhone, type SipPhone } from '../cluster/telephony/sip-phone';

(hasPrograms(['asterisk']) ? describe : describe.skip)('Live Asterisk', () => {
  let stack: AsteriskStack;
  let phone: SipPhone;
  beforeAll(async () => {
    stack = await openAsteriskStack();
    phone = await openPhone({ port: stack.sipPort, user: 3102, domain: '127.0.0.1' });
  });
  afterAll(async () => {
    phone.close();
    await stack.close();
  });

  test('A created extension registers with its secret, and a deleted one does not', async () => {
    const path = `/instances/${ASTERISK}/bulks/extensions`;
    const { status, body } = await stack.people.owner('POST', path, { data: { id: 3102, name: 'Front desk' } });
    expect(status).toBe(201);
    expect(await phone.register(body.data.secret)).toBe(200);
    expect((await stack.people.owner('DELETE', `${path}/${body._id}`)).status).toBe(200);
    expect(await phone.register(body.data.secret)).not.toBe(200);
  });
});
