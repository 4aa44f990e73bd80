// A call through the dial plan that ships with the product, as an order has set it: ring time, then voicemail.
// test/cluster/telephony/dialplan.test.ts and asterisk-calls.test.ts there try the rest.
import { hasPrograms } from '../../scripts/lib/test/test-programs';
import { testInstance, findInstance } from '../../src/telephony/queries/sites/sites';
import { openAmi } from '../support/telephony/calls/ami-by-hand';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../cluster/telephony/asterisk-stack';
import { openCallPhone, type CallPhone } from '../support/telephony/calls/call-phone';
import { until } from '../support/until';

(hasPrograms(['asterisk']) ? describe : describe.skip)('Calls on a live Asterisk', () => {
  let stack: AsteriskStack;
  const phones: CallPhone[] = [];
  beforeAll(async () => void (stack = await openAsteriskStack('astdb', {})));
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await stack.close();
  });

  test('A call that nobody takes for the ring time leaves a message in the mailbox', async () => {
    const instance = (await findInstance(stack.worker.mysql, ASTERISK))!;
    expect(await testInstance(stack.worker, instance, 60_000)).toMatchObject({ isWell: true });
    const open = async (id: number, more: object = {}) => {
      const data = { id, name: `Phone ${id}`, qualifyfreq: '0', ...more };
      const { status, body } = await stack.people.owner('POST', `/instances/${ASTERISK}/bulks/extensions`, { data });
      expect(status).toBe(201);
      const phone = await openCallPhone({ port: stack.sipPort, user: id, secret: body.data.secret });
      phones.push(phone);
      await phone.register();
      return phone;
    };
    const caller = await open(501);
    const called = await open(502, { ringtimer: '2', voicemail: 'default', voicemail_vmpwd: '4711' });
    const call = await caller.finalOf('502');
    expect(call.status).toBe(200);
    const [rang] = called.incoming;
    expect(rang!.end).toBe('called off');
    expect(call.answeredAt! - rang!.ringingAt).toBeGreaterThan(1800);
    await call.speak(3000);
    call.hangUp();
    const ami = await openAmi(stack.at);
    const summary = { action: 'VoicemailBoxSummary', Context: 'partyline-main', Mailbox: '502' };
    const listed = await until(
      () => ami.ask(summary),
      (said) => said.includes('Event: VoicemailBoxDetail\r\n'),
    );
    expect(listed).toContain('CallerID: "Phone 501" <501>');
  });
});
