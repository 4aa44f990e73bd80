// Two companies on one Asterisk, each with a domain: the same numbers, and neither reaches or sees the other's.
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { addInstance } from '../../../src/telephony/commands/sites/change-instances';
import type { CompanyId } from '../../../src/telephony/model/companies/company';
import { productsOf } from '../../../src/products';
import { startWorkersOf } from '../../support/kernel/workers';
import type { Person } from '../../api/telephony/people';
import { openAmi, trunkObjects, writeObjects, type AmiByHand } from '../../support/telephony/calls/ami-by-hand';
import { openCallPhone, type CallPhone } from '../../support/telephony/calls/call-phone';
import { until } from '../../support/until';
import { openAsteriskStack, type AsteriskStack } from './asterisk-stack';

const SECRET = 's3cret-of-phones';
const COMPANIES = {
  acme: { uuid: '40000000-0000-4000-8000-000000000001', domain: 'acme.test' },
  beta: { uuid: '50000000-0000-4000-8000-000000000001', domain: 'beta.test' },
} as const;
type Company = keyof typeof COMPANIES;

(hasPrograms(['asterisk']) ? describe : describe.skip)('Two companies on one real Asterisk', () => {
  let stack: AsteriskStack;
  let ami: AmiByHand;
  const phones = new Map<string, CallPhone>();
  const who = (company: Company): Person => (company === 'acme' ? stack.people.owner : stack.people.stranger);
  const ask = (company: Company, method: string, path: string, body?: object) =>
    who(company)(method, `/instances/${COMPANIES[company].uuid}${path}`, body);

  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    ami = await openAmi(stack.at);
    for (const company of ['acme', 'beta'] as const) {
      const { uuid, domain } = COMPANIES[company];
      await addInstance(stack.worker, {
        companyId: (await who(company)('GET', '/system/company')).body.id as CompanyId,
        backend: 'asterisk-ari',
        address: stack.proxy.url,
        uuid,
        details: { domain, external_domain: domain },
        credentials: `partyline:${stack.at.password}`,
        ami: `ami:${stack.at.password}`,
      });
      for (const user of ['101', '102']) {
        const data = {
          id: Number(user),
          name: `${company} ${user}`,
          secret: SECRET,
          voicemail: 'default',
          ringtimer: '2',
        };
        expect((await ask(company, 'POST', '/bulks/extensions', { data })).status).toBe(201);
        const phone = await openCallPhone({ port: stack.sipPort, user, secret: SECRET, domain });
        await phone.register();
        phones.set(`${company} ${user}`, phone);
      }
    }
    const trunk = await openCallPhone({ port: stack.sipPort, user: 'trunk', secret: SECRET });
    phones.set('trunk', trunk);
    await writeObjects(stack.at, 'trunk', trunkObjects('trunk', trunk.address));
  });
  beforeEach(() => {
    for (const phone of phones.values()) {
      phone.manner = 'answers';
      phone.incoming.length = 0;
    }
  });
  afterAll(async () => {
    for (const phone of phones.values()) phone.close();
    await stack.close();
  });

  const call = async (by: string, to: string) => {
    const made = await phones.get(by)!.finalOf(to);
    const rang = [...phones].flatMap(([name, { incoming }]) => incoming.map(({ end }) => `${name} ${end ?? 'rings'}`));
    if (made.status === 200) made.hangUp();
    await until(() => [...phones.values()].every(({ incoming }) => incoming.every((each) => each.end ?? each.isOver)));
    return { status: made.status, rang };
  };
  const drift = async (company: Company) => (await ask(company, 'POST', '/drift')).body;

  test('A number rings the extension of the own company', async () => {
    expect(await call('acme 101', '102')).toEqual({ status: 200, rang: ['acme 102 answered'] });
    for (const phone of phones.values()) phone.incoming.length = 0;
    expect(await call('beta 101', '102')).toEqual({ status: 200, rang: ['beta 102 answered'] });
  });

  test('Ring groups, forwards, numbers from outside and mailboxes are those of the company', async () => {
    const group = { number: 600, name: 'All', members: ['102'], ring_time: 2 };
    expect((await ask('acme', 'POST', '/ring-groups', group)).status).toBe(201);
    expect(await call('acme 101', '600')).toEqual({ status: 200, rang: ['acme 102 answered'] });
    phones.get('acme 102')!.incoming.length = 0;
    const lead = { number: '+15551230100', destination: { type: 'extension', number: 102 } };
    expect((await ask('beta', 'POST', '/numbers', lead)).status).toBe(201);
    expect(await call('trunk', '15551230100')).toEqual({ status: 200, rang: ['beta 102 answered'] });
    phones.get('beta 102')!.incoming.length = 0;
    await call('acme 102', '*78');
    expect((await drift('acme')).arrangements.adopted).toEqual(['forwards of 102']);
    expect((await drift('beta')).arrangements.adopted).toEqual([]);
    // To the mailbox of the company.
    expect(await call('acme 101', '102')).toEqual({ status: 200, rang: [] });
    const boxes = await ami.ask({ action: 'VoicemailUsersList' });
    for (const { uuid } of Object.values(COMPANIES))
      expect(boxes).toContain(`VMContext: partyline-${uuid.slice(0, 8)}`);
  });

  test('Calls are seen by their own company, under the numbers of the extensions', async () => {
    await startWorkersOf(stack.cluster, productsOf(stack.cluster.config()), ['pbx-listeners']);
    const { uuid } = COMPANIES.beta;
    const live = async (company: Company) => (await who(company)('GET', '/calls/live')).body;
    await until(
      () => live('beta'),
      ({ unknown }) => !unknown.includes(uuid),
    );
    const made = await phones.get('beta 101')!.finalOf('102');
    const { calls } = await until(
      () => live('beta'),
      (seen) => seen.calls[0]?.state === 'answered',
    );
    expect(calls).toEqual([
      expect.objectContaining({ pbx: uuid, from: '101', dialled: '102', answered_by: '102', extensions: [101, 102] }),
    ]);
    expect((await live('acme')).calls).toEqual([]);
    made.hangUp();
    const [{ call_id: id }] = calls;
    const history = async (company: Company): Promise<string[]> =>
      (await ask(company, 'GET', '/calls')).body.map((each: { call_id: string }) => each.call_id);
    await until(
      () => history('beta'),
      (ids) => ids.includes(id),
    );
    expect(await history('acme')).not.toContain(id);
  });

  test('Neither company sees what the other has, and a deletion leaves the other alone', async () => {
    for (const company of ['acme', 'beta'] as const) {
      const report = await drift(company);
      expect(report).toMatchObject({ missing: [], changed: [], unknown: [], leftover: [], is_complete: true });
      expect(report.arrangements).toMatchObject({ missing: [], changed: [], unknown: [], leftover: [] });
    }
    const { body } = await ask('acme', 'GET', '/extensions');
    const { _id: id } = body.find(({ data }: { data: { id: number } }) => data.id === 101);
    expect((await ask('acme', 'DELETE', `/bulks/extensions/${id}`)).status).toBe(200);
    expect((await call('beta 102', '101')).rang).toEqual(['beta 101 answered']);
  });
});
