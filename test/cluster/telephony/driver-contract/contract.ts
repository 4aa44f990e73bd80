/** What the server relies on in every PBX driver: each backend has a test that runs all of this. */
import { newId } from '../../../../src/kernel/id';
import { PbxError, type Held, type PbxTrouble } from '../../../../src/telephony/actors/pbx-instance/driver';
import { differences, hasWritten, isSame, pushed } from '../../../../src/telephony/actors/pbx-instance/drivers';
import { dataFor } from '../../../../src/telephony/model/extensions/extension-draft';
import { markOf, newCredentials } from '../../../../src/telephony/model/extensions/sealing';
import { BACKEND_FIELDS } from '../../../../src/telephony/model/sites/backends';
import { withOthers } from '../../../support/telephony/other-values';
import { until } from '../../../support/until';
import { startBadServer, type TriedBackend, type TriedDriver } from './backend';

const DEADLINE_MS = 10_000;
/** For calls that should fail at their deadline. */
const SHORT_MS = 300;
const PATIENCE_MS = 60_000;

let next = 9000;
const within = (key: string, deadlineMs = DEADLINE_MS) => ({ key, deadlineMs });

/** A complete extension, as an order pushes it. */
function extension(number: number, given: { secret?: string } & Readonly<Record<string, string>> = {}): Held {
  const { secret, ...more } = given;
  const data = dataFor({ data: { name: `Phone ${number}`, ...more } }, number);
  return pushed({ number, data, credentials: { ...newCredentials(), ...(secret ? { secret } : {}) } }, newId());
}

/** Not tried: these depend on the modules of a PBX, or the other cases rely on them. */
const NOT_TRIED = ['tech', 'voicemail', 'name', 'secret', 'password', 'voicemail_vmpwd'];

const keyOf = ({ operation = '' }: Held) => within(operation);

export function testDriver(open: () => Promise<TriedBackend>): void {
  let backend: TriedBackend;
  let tried: TriedDriver;

  beforeAll(async () => {
    backend = await open();
    tried = backend.at(backend.address);
  });
  afterAll(() => backend.close());

  const get = (number: number) => tried.driver.get(number, within('look'));
  const create = async (wanted: Held): Promise<Held> => {
    await tried.driver.create(wanted, keyOf(wanted));
    return wanted;
  };
  const holds = async (wanted: Held): Promise<boolean> => {
    const held = await get(wanted.number);
    return held !== undefined && held.isPartial !== true && isSame(tried.driver, held, wanted);
  };

  describe('create', () => {
    test('A created extension reads back as it was given, and shows which order created it', async () => {
      const wanted = await create(extension(++next));
      expect(await holds(wanted)).toBe(true);
      const { number, operation: id = '', secret } = wanted;
      const mark = markOf(backend.kernel.secrets, tried.uuid, { number, secret: String(secret) });
      expect(hasWritten({ id, mark } as Parameters<typeof hasWritten>[0], await get(number))).toBe(true);
    });

    test('Creating an extension again under the same key changes nothing', async () => {
      const wanted = await create(extension(++next));
      await create(wanted);
      expect(await holds(wanted)).toBe(true);
      const listed = (await tried.driver.list(within('list'))).filter(({ number }) => number === wanted.number);
      expect(listed).toHaveLength(1);
    });

    test('Creating an extension takes over one that already exists', async () => {
      const before = await create(extension(++next, { name: 'Before' }));
      const wanted = await create(extension(before.number, { name: 'After' }));
      expect(await holds(wanted)).toBe(true);
    });

    test.each([
      ['quotes and commas', `O'Brien, "Ann" & Co`],
      ['letters of many languages', 'Żółć 日本 Ünal'],
    ])('A created extension keeps a name with %s', async (_, name) => {
      expect(await holds(await create(extension(++next, { name })))).toBe(true);
    });

    test('A created extension keeps every field that this kind of PBX is said to support', async () => {
      const names = BACKEND_FIELDS[backend.backend].filter((name) => !NOT_TRIED.includes(name));
      const wanted = await create(withOthers(extension(++next, { voicemail: 'default' }), names));
      expect(differences(tried.driver, await get(wanted.number), wanted)).toEqual([]);
    });

    test('A created extension keeps a secret with every kind of character that an order allows', async () => {
      expect(await holds(await create(extension(++next, { secret: '!#$%&()*+,-./:=?@[]^_`{|}~aZ09' })))).toBe(true);
    });
  });

  describe('update', () => {
    test('An update replaces the whole extension, including the secret', async () => {
      const before = await create(extension(++next, { name: 'Before', secret: 'secret-before-1' }));
      const wanted = extension(before.number, { name: 'After', secret: 'secret-after-22' });
      await tried.driver.update(wanted, keyOf(wanted));
      expect(await holds(wanted)).toBe(true);
      expect(await holds(before)).toBe(false);
      const isKnown =
        tried.driver.recognises === 'content' || (await get(before.number))?.operation === wanted.operation;
      expect(isKnown).toBe(true);
    });

    test('An update of a missing extension creates it again, which repairs drift', async () => {
      const wanted = extension(++next);
      await tried.driver.update(wanted, keyOf(wanted));
      expect(await holds(wanted)).toBe(true);
    });
  });

  describe('delete', () => {
    test('A deletion removes the extension and no other, and may be repeated', async () => {
      const [gone, kept] = [await create(extension(++next)), await create(extension(++next))];
      for (const key of ['first', 'second']) await tried.driver.delete(gone.number, within(key));
      expect(await get(gone.number)).toBeUndefined();
      expect(await holds(kept)).toBe(true);
    });
  });

  describe('get and list', () => {
    test('An extension that was never created is found by neither get nor list', async () => {
      const number = ++next;
      expect(await get(number)).toBeUndefined();
      expect((await tried.driver.list(within('list'))).map((held) => held.number)).not.toContain(number);
    });

    test('The methods get and list show the same, and each extension once', async () => {
      const made = [await create(extension(++next)), await create(extension(++next))];
      const listed = await tried.driver.list(within('list'));
      const numbers = listed.map(({ number }) => number);
      expect(new Set(numbers).size).toBe(numbers.length);
      for (const wanted of made) {
        const held = listed.find(({ number }) => number === wanted.number);
        expect(held && isSame(tried.driver, held, wanted)).toBe(true);
        expect(held?.operation).toBe((await get(wanted.number))?.operation);
      }
    });
  });

  test('The driver reports no registered phone for a new extension, if it can report phones at all', async () => {
    const { number } = await create(extension(++next));
    expect(await tried.driver.registered?.([number], within('registered'))).toEqual(
      tried.driver.registered ? [] : undefined,
    );
  });

  test('A reload, if the driver needs one, ends and reports its end', async () => {
    const { reload } = tried.driver;
    if (!reload) return;
    await create(extension(++next));
    const id = await reload.begin(within('reload'));
    const state = await until(
      () => reload.state(id, within('reload')),
      (said) => said !== 'under-way',
      PATIENCE_MS,
    );
    expect(state).toBe('done');
  });

  test('The health check reports that a PBX is healthy', async () => {
    expect(await tried.driver.health(within('health'))).toMatchObject({ isWell: true, detail: expect.any(String) });
  });

  // `away` is also right if a driver knows that it did not reach the order: it got no token.
  describe.each<['is not there' | 'hangs up' | 'says nothing', readonly PbxTrouble[]]>([
    ['is not there', ['away']],
    ['hangs up', ['cut', 'away']],
    ['says nothing', ['silent', 'away']],
  ])('PBX that %s', (manner, troubles) => {
    // A call that cannot be late has the usual time: a busy machine may be slow to refuse a connection.
    const deadlineMs = manner === 'says nothing' ? SHORT_MS : DEADLINE_MS;
    let server: Awaited<ReturnType<typeof startBadServer>>;
    let bad: TriedDriver;
    beforeAll(async () => {
      server = await startBadServer(manner === 'hangs up' ? manner : 'says nothing');
      if (manner === 'is not there') await server.close();
      const address = new URL(backend.address);
      [address.hostname, address.port] = ['127.0.0.1', String(server.port)];
      bad = backend.at(address.href);
    });
    afterAll(async () => {
      if (manner !== 'is not there') await server.close();
    });

    test(`Every call to a faulty PBX fails as ${troubles.join(' or ')} by its deadline, and its error shows no secret`, async () => {
      const secret = 'canary-secret-0123';
      const wanted = extension(++next, { secret });
      const context = within('bad', deadlineMs);
      const calls = {
        create: () => bad.driver.create(wanted, context),
        update: () => bad.driver.update(wanted, context),
        delete: () => bad.driver.delete(wanted.number, context),
        get: () => bad.driver.get(wanted.number, context),
        list: () => bad.driver.list(context),
      };
      for (const [name, call] of Object.entries(calls)) {
        const error: unknown = await (call() as Promise<unknown>).then(
          () => undefined,
          (failed: unknown) => failed,
        );
        expect([name, error]).toEqual([name, expect.any(PbxError)]);
        const { trouble, message } = error as PbxError;
        expect([name, troubles.includes(trouble) ? 'as it should' : trouble]).toEqual([name, 'as it should']);
        expect(message).not.toContain(secret);
      }
    });

    test('The health check reports a faulty PBX as unhealthy and does not fail itself', async () => {
      expect(await bad.driver.health(within('health', deadlineMs))).toMatchObject({ isWell: false });
    });
  });
}
