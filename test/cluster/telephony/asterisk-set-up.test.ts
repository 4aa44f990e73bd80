// What an operator has forgotten: said by `partyline instance test`, and by orders that need it.
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { problem } from '../../api/telephony/people';
import { changeInstance } from '../../../src/telephony/commands/sites/change-instances';
import { findInstance, testInstance } from '../../../src/telephony/queries/sites/sites';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from './asterisk-stack';

const PATH = `/instances/${ASTERISK}/bulks/extensions`;

(hasPrograms(['asterisk']) ? describe : describe.skip)('Set-up of a real Asterisk', () => {
  let stack: AsteriskStack;
  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', { isIncluded: false, classes: 'system,reporting' });
  });
  afterAll(() => stack.close());

  const health = async () => testInstance(stack.worker, (await findInstance(stack.worker.mysql, ASTERISK))!, 60_000);
  const post = (data: object) => stack.people.owner('POST', PATH, { data });

  test('A dial plan that is not included, and rights that the AMI user lacks, are named', async () => {
    const { isWell, detail } = await health();
    expect(isWell).toBe(false);
    expect(detail.split('; ')).toEqual([
      'the dial plan of Partyline is not loaded: see "partyline instance dialplan"',
      'the AMI user lacks the class config, so there are no mailboxes',
      'the AMI user lacks the class user, so messages cannot be deleted',
    ]);
  });

  test('Without the dial plan, an order that changes what becomes of calls gets 400, and another is carried out', async () => {
    const refused = await post({ id: 601, name: 'Ann', ringtimer: '5' });
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('the dial plan of Partyline is not loaded');
    expect(await stack.objectsOf(601)).toEqual([]);
    expect((await post({ id: 601, name: 'Ann' })).status).toBe(201);
  });

  test('Wrong credentials of the AMI user are named, and orders get 502 and leave nothing', async () => {
    await changeInstance(stack.worker, ASTERISK, { ami: 'ami:canary' });
    expect(await health()).toMatchObject({
      isWell: false,
      detail: expect.stringContaining('The PBX refuses our AMI credentials'),
    });
    const refused = await post({ id: 602, name: 'Ben' });
    expect(refused).toMatchObject(problem(502));
    expect(refused.body.detail).not.toContain('canary');
    await changeInstance(stack.worker, ASTERISK, { ami: null });
    expect((await post({ id: 602, name: 'Ben', ringtimer: '5' })).body.warnings).toEqual([
      'data.ringtimer: is kept here, but this kind of PBX (asterisk-ari) does not take it',
    ]);
    expect(await health()).toMatchObject({ isWell: true });
  });
});
