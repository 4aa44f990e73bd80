// The table of fields that the product prints, and what a real Asterisk holds of each field.
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { pushed } from '../../../../src/telephony/actors/pbx-instance/drivers';
import { DATA_FIELDS, fateOf } from '../../../../src/telephony/model/extensions/backend-fields';
import { dataFor } from '../../../../src/telephony/model/extensions/extension-draft';
import { CREDENTIAL_FIELDS } from '../../../../src/telephony/model/extensions/extension-fields';
import { findInstance } from '../../../../src/telephony/queries/sites/sites';
import { telephonyIn } from '../../../support/kernel/parts';
import { openAmi, type AmiByHand } from '../../../support/telephony/calls/ami-by-hand';
import { withOthers } from '../../../support/telephony/other-values';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../asterisk-stack';

const NUMBER = 9100;
const OPERATION = 'fields';
const AWAY = 'from-did-direct,102,1';
/** So that no field counts only together with another. */
const DATA = {
  name: 'Ann',
  voicemail_enable: 'yes',
  voicemail_options: 'attach=yes|saycid=no',
  findmefollow_enabled: 'yes',
  findmefollow_grplist: '102',
  findmefollow_changecid: 'fixed',
  findmefollow_fixedcid: '15551230100',
  recording_in_external: 'yes',
};
const CREDENTIALS = { secret: 'secret-0', password: '', voicemail_vmpwd: '4711' };
/** Of a form that the dial plan knows. */
const FORMED: Readonly<Record<string, string>> = {
  noanswer_dest: AWAY,
  busy_dest: AWAY,
  chanunavail_dest: AWAY,
  findmefollow_postdest: AWAY,
  findmefollow_strategy: 'hunt',
  voicemail_options: 'attach=no|saycid=yes',
};

const extension = (data: object = {}, credentials: object = {}) =>
  pushed(
    {
      number: NUMBER,
      data: dataFor({ data: { ...DATA, ...data } }, NUMBER),
      credentials: { ...CREDENTIALS, ...credentials },
    },
    OPERATION,
  );

function withOther(name: string) {
  const other = { [name]: FORMED[name] ?? withOthers(extension(), [name])[name] };
  return (CREDENTIAL_FIELDS as readonly string[]).includes(name) ? extension({}, other) : extension(other);
}

(hasPrograms(['asterisk']) ? describe : describe.skip)('Fields on a real Asterisk', () => {
  let stack: AsteriskStack;
  let ami: AmiByHand;
  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    ami = await openAmi(stack.at);
  });
  afterAll(() => stack.close());

  async function held(): Promise<string> {
    const objects = await Promise.all(
      ['auth', 'aor', 'endpoint'].map(async (type) => (await stack.pjsip('GET', `${type}/${NUMBER}`)).attributes),
    );
    const settings = await ami.ask({ action: 'DBGet', Family: 'partyline', Key: `ext/main/${NUMBER}` });
    const mailbox = await ami.ask({ action: 'GetConfig', Filename: `partyline/vm-main-${NUMBER}.conf` });
    const sorted = objects.map((each) => Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    return JSON.stringify([sorted, settings, mailbox]);
  }

  test('Exactly the fields that are said to be carried change what Asterisk holds', async () => {
    const instance = (await findInstance(stack.worker.mysql, ASTERISK))!;
    const driver = telephonyIn(stack.node).drivers.of(instance);
    const context = { key: OPERATION, deadlineMs: 30_000 };
    await driver.create(extension(), context);
    const usual = await held();
    const changing: string[] = [];
    for (const name of DATA_FIELDS) {
      await driver.update(withOther(name), context);
      if ((await held()) !== usual) changing.push(name);
    }
    await driver.update(extension(), context);
    expect(await held()).toBe(usual);
    const kind = 'asterisk-ari+ami';
    expect(changing).toEqual(DATA_FIELDS.filter((name) => ['carried', 'in part'].includes(fateOf(kind, name))));
    const { body } = await stack.people.owner('GET', `/instances/${ASTERISK}`);
    expect(DATA_FIELDS.filter((name) => ['carried', 'in part'].includes(body.fields[name]))).toEqual(changing);
  });
});
