// Mailboxes as people use them at a SIP phone on a real Asterisk: their PIN, and that a change of it is adopted at once.
import { openAmi } from '../../../support/telephony/calls/ami-by-hand';
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { productsOf } from '../../../../src/products';
import { startWorkersOf } from '../../../support/kernel/workers';
import type { OutgoingCall } from '../../../support/telephony/calls/call-phone';
import { until } from '../../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../asterisk-stack';
import { openPhones, type OrderedPhones } from './ordered-phones';

(hasPrograms(['asterisk']) ? describe : describe.skip)('Mailboxes at telephones of a real Asterisk', () => {
  let stack: AsteriskStack;
  let phones: OrderedPhones;

  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    await startWorkersOf(stack.cluster, productsOf(stack.cluster.config()), ['pbx-listeners']);
    phones = openPhones(stack);
    await phones.open(601);
    await phones.open(602, { voicemail: 'default', voicemail_vmpwd: '4711' });
    await until(
      () => stack.people.owner('GET', '/calls/live'),
      ({ body }) => !body.unknown.includes(ASTERISK),
    );
  });
  afterAll(async () => {
    phones.close();
    await stack.close();
  });

  const pin = async (): Promise<string> =>
    (await stack.people.owner('GET', `/instances/${ASTERISK}/bulks/extensions/${phones.idOf(602)}`)).body.data
      .voicemail_vmpwd;
  /** Presses each of these once its prompt has been heard, and hears the last one. */
  const dial = async (by: number, code: string, all: readonly string[]): Promise<OutgoingCall> => {
    const call = await phones.at(by).finalOf(code);
    for (const keys of all) {
      await phones.at(by).listen();
      await call.press(keys);
    }
    return call;
  };

  test('A mailbox stays closed without its PIN', async () => {
    const call = await dial(602, '*97', ['0000#', '0000#', '0000#']);
    await until(() => call.isOver);
  });

  test('A PIN that is changed in one’s mailbox is adopted at once, and opens it from another telephone', async () => {
    expect(await pin()).toBe('4711');
    const own = await dial(602, '*97', ['4711#', '0', '5', '2580#', '2580#']);
    await phones.at(602).listen();
    own.hangUp();
    await until(pin, (now) => now === '2580');
    const ami = await openAmi(stack.at);
    const written = await ami.ask({ action: 'GetConfig', Filename: 'partyline/vm-main-602.conf' });
    expect(written.match(/602=.*?,/g)).toEqual(['602=2580,']);
    await ami.ask({ action: 'Reload', Module: 'app_voicemail.so' });
    const any = await dial(601, '*98', ['602#', '2580#']);
    await phones.at(601).listen();
    expect(any.isOver).toBe(false);
    any.hangUp();
  });
});
