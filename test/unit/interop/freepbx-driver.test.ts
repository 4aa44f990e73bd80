import { openSecrets } from '../../../src/kernel/secrets/secrets';
import { NotUnderstood, type Held, type PbxDriver } from '../../../src/telephony/actors/pbx-instance/driver';
import { differences, ensureGone, ensurePbxHas, isSame } from '../../../src/telephony/actors/pbx-instance/drivers';
import { freePbx } from '../../../src/telephony/actors/pbx-instance/freepbx';
import { FreePbxError, openTokens } from '../../../src/telephony/actors/pbx-instance/freepbx/freepbx-api';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { openCuttingProxy, type CuttingProxy } from '../../support/proxies/cutting-proxy';
import { openFreePbxTarget, type FreePbxTarget } from '../../support/telephony/freepbx-target';
import { until } from '../../support/until';

// A live FreePBX on the other side of the world is slow.

let target: FreePbxTarget;
let proxy: CuttingProxy;
let driver: PbxDriver;
let next = 10;
const made: number[] = [];
const context = (key = 'interop-1') => ({ key, deadlineMs: 20_000 });

beforeAll(async () => {
  target = await openFreePbxTarget();
  proxy = await openCuttingProxy(target.url);
  const secrets = openSecrets('interop'.repeat(8));
  const credentials = secrets.encrypt(`${target.client}:${target.secret}`);
  const instance = { uuid: '10000000-0000-4000-8000-0000000000f1', address: proxy.url, credentials };
  driver = freePbx({ secrets, pause: () => Promise.resolve() }, instance, openTokens());
});
afterAll(async () => {
  for (const number of made) await driver.delete(number, context());
  await proxy.close();
  await target.close();
});

/** In the form of an order with these fields of `data`; without any, the smallest possible order. */
function extension(data: object = {}, secret = '0123456789abcdef0123456789abcdef'): Held {
  const number = target.firstNumber + (next += 1);
  made.push(number);
  const credentials = { secret, password: '', voicemail_vmpwd: '471147' };
  return { number, ...dataFor({ data: { name: `Interop ${number}`, ...data } }, number), ...credentials };
}

async function created(data: object = {}): Promise<Held> {
  const wanted = extension(data);
  await driver.create(wanted, context());
  await ensurePbxHas(driver, wanted, context());
  return wanted;
}

describe('Extensions', () => {
  test('The smallest extension is stored completely, with the secret that we chose', async () => {
    const wanted = await created();
    expect(await driver.get(wanted.number, context())).toMatchObject({
      name: wanted['name'],
      secret: wanted['secret'],
    });
  });

  test('Every field that the backend declares is stored, and shows in a list as well', async () => {
    const wanted = await created({
      name: 'O’Brien <x> "q"',
      outboundcid: '"Ann" <5551>',
      emergency_cid: '911',
      max_contacts: '3',
      voicemail: 'default',
      voicemail_email: 'ann@example.com',
      voicemail_pager: '5559',
      voicemail_options: 'attach=yes|saycid=yes|envelope=no|delete=no',
      ringtimer: '25',
      callwaiting_enable: 'disabled',
      recording_in_external: 'force',
      recording_priority: 0,
    });
    const listed = (await driver.list(context())).find(({ number }) => number === wanted.number);
    expect(differences(driver, listed, wanted)).toEqual([]);
  });

  test('An update resets fields that the previous operation had set', async () => {
    const before = await created({ ringtimer: '25', voicemail_email: 'ann@example.com', outboundcid: '5551' });
    const after = { ...extension(), number: before.number };
    await driver.update(after, { ...context('interop-2'), mayDiscard: true });
    await ensurePbxHas(driver, after, context());
    expect(isSame(driver, await driver.get(before.number, context()), before)).toBe(false);
  });

  test('An update of the secret is stored, and the old secret is gone', async () => {
    const before = await created();
    const after = { ...before, secret: 'another-secret-0123456789' };
    await driver.update(after, context('interop-2'));
    await ensurePbxHas(driver, after, context());
    expect((await driver.get(before.number, context()))?.['secret']).toBe(after.secret);
  });

  test('An update without a secret is never sent, because FreePBX would make one up', async () => {
    const { secret: _, ...without } = await created();
    await expect(driver.update(without as Held, context())).rejects.toMatchObject({ trouble: 'refused' });
  });

  test('An update of a missing extension creates it', async () => {
    const wanted = extension();
    await driver.update(wanted, context());
    await ensurePbxHas(driver, wanted, context());
  });

  test('A deleted extension is gone, and deleting it again changes nothing', async () => {
    const { number } = await created();
    await driver.delete(number, context());
    await ensureGone(driver, number, context());
    await driver.delete(number, context());
    expect((await driver.list(context())).map((each) => each.number)).not.toContain(number);
  });
});

describe('Mailboxes', () => {
  const mailbox = { voicemail: 'default', voicemail_email: 'ann@example.com' };

  test.each([
    ['secret', { secret: 'another-secret-0123456789' }],
    ['emergency_cid', { emergency_cid: '911' }],
    ['voicemail', { voicemail: 'novm' }],
    ['max_contacts', { max_contacts: '5' }],
  ])(
    'An update of %s is refused before it would empty a mailbox, and done once that is accepted',
    async (name, more) => {
      const before = await created(mailbox);
      const after = { ...before, ...more };
      const ordered = { ...context('interop-2'), before };
      await expect(driver.update(after, ordered)).rejects.toMatchObject({
        name: 'WouldDiscard',
        trouble: 'refused',
        message: `changing data.${name} deletes the messages and greetings of the mailbox`,
      });
      await ensurePbxHas(driver, before, context());
      const willDiscard = jest.fn();
      await driver.update(after, { ...ordered, mayDiscard: true, willDiscard });
      await ensurePbxHas(driver, after, context());
      expect(willDiscard).toHaveBeenCalled();
    },
  );

  test('An update of any other field needs no confirmation of a loss', async () => {
    const before = await created(mailbox);
    const more = { name: 'Renamed', outboundcid: '5552', ringtimer: '30', voicemail_vmpwd: '1234' };
    const options = { voicemail_email: 'bob@example.com', voicemail_options: 'attach=yes|saycid=no' };
    const after = { ...before, ...more, ...options };
    await driver.update(after, { ...context('interop-2'), before });
    await ensurePbxHas(driver, after, context());
  });

  test('An update without a difference changes nothing', async () => {
    const before = await created(mailbox);
    const willChange = jest.fn();
    await driver.update(before, { ...context('interop-2'), before, willChange });
    expect(willChange).not.toHaveBeenCalled();
  });
});

describe('Incomplete extensions', () => {
  const DELETE_DEVICE = 'mutation ($input: deleteCoreDeviceInput!) { deleteCoreDevice(input: $input) { status } }';
  const halve = ({ number }: Held) => target.ask(DELETE_DEVICE, { input: { id: String(number) } });

  test.each(['create', 'update'] as const)(
    'An incomplete extension without a mailbox is repaired by %s',
    async (method) => {
      const wanted = await created();
      await halve(wanted);
      expect(await driver.get(wanted.number, context())).toBeUndefined();
      await driver[method](wanted, context('interop-2'));
      await ensurePbxHas(driver, wanted, context());
    },
  );

  test.each(['create', 'update'] as const)(
    'An incomplete extension with a mailbox is repaired by %s only if its loss is accepted',
    async (method) => {
      const wanted = await created({ voicemail: 'default' });
      await halve(wanted);
      await expect(driver[method](wanted, context('interop-2'))).rejects.toMatchObject({
        name: 'WouldDiscard',
        message: expect.stringContaining('only half of the extension'),
      });
      await driver[method](wanted, { ...context('interop-2'), mayDiscard: true });
      await ensurePbxHas(driver, wanted, context());
    },
  );

  test('An incomplete extension is deleted like any other', async () => {
    const wanted = await created();
    await halve(wanted);
    await driver.delete(wanted.number, context());
    await driver.create(wanted, context('interop-2'));
    await ensurePbxHas(driver, wanted, context());
  });
});

describe('Lost answers', () => {
  test('A query whose answer is lost on a kept-alive connection is sent again', async () => {
    const { number } = await created();
    proxy.cut(/fetchExtension\(/, 'before');
    expect(await driver.get(number, context())).toMatchObject({ number });
  });

  test.each([
    ['addExtension', true],
    ['updateExtension', false],
  ])(
    'A lost answer to %s leaves a recognisable extension, and the same operation again completes it',
    async (step, isPartial) => {
      const wanted = extension();
      proxy.cut(new RegExp(`${step}\\(`), 'after');
      await expect(driver.create(wanted, context('interop-lost'))).rejects.toMatchObject({ trouble: 'cut' });
      const left = await driver.get(wanted.number, context());
      expect(left?.isPartial ?? false).toBe(isPartial);
      if (isPartial) expect(left?.operation).toBe('interop-lost');
      await driver.create(wanted, context('interop-lost'));
      await ensurePbxHas(driver, wanted, context());
    },
  );

  test('A lost answer to deleteExtension leaves the extension deleted', async () => {
    const { number } = await created();
    proxy.cut(/deleteExtension\(/, 'after');
    await expect(driver.delete(number, context())).rejects.toMatchObject({ trouble: 'cut' });
    await ensureGone(driver, number, context());
  });

  test('A creation that is cut off halfway can be recognised and removed', async () => {
    const wanted = extension();
    proxy.cut(/updateExtension\(/, 'before');
    await expect(driver.create(wanted, context('interop-dead'))).rejects.toMatchObject({ trouble: 'cut' });
    expect(await driver.get(wanted.number, context())).toMatchObject({ operation: 'interop-dead', isPartial: true });
    await driver.delete(wanted.number, context());
    await ensureGone(driver, wanted.number, context());
  });
});

describe('Reload and health', () => {
  test('A reload that was begun completes, and an unknown reload is an error', async () => {
    await created();
    expect(await driver.health(context())).toMatchObject({
      isWell: true,
      detail: expect.stringMatching(/^FreePBX \d+\..*reload$/),
    });
    const id = await driver.reload!.begin(context());
    const state = () => driver.reload!.state(id, context());
    expect(await until(state, (came) => came !== 'under-way')).toBe('done');
    await expect(driver.reload!.state('999999', context())).rejects.toBeInstanceOf(NotUnderstood);
  });

  test('An error message that repeats the whole input is reported without it', () => {
    const wrong = 'Field "nosuch" is not defined by type updateExtensionInput.';
    const said = (tail: string) =>
      new FreePbxError('never', `Variable "$input" got invalid value {"extPassword":"canary"}; ${tail}`).message;
    expect(said(wrong)).toBe(`The PBX answered: ${wrong}`);
    expect(said('Expected type String; got "canary"')).not.toContain('canary');
  });

  test('An extension that FreePBX never accepts is refused and leaves nothing behind', async () => {
    const wanted = { ...extension(), tech: 'nosuch' };
    await expect(driver.create(wanted, context())).rejects.toMatchObject({
      trouble: 'refused',
      message: expect.stringContaining('The existing driver not support this tech(nosuch)'),
    });
    expect(await driver.get(wanted.number, context())).toBeUndefined();
  });
});
