// Ring groups and inbound routes of a FreePBX: the simulated one, or the live one that `npm run interop` names.
import { openSecrets } from '../../../src/kernel/secrets/secrets';
import {
  ensureArranged,
  ensureRemoved,
  type PbxArrangements,
  type WantedArrangement,
} from '../../../src/telephony/actors/pbx-arrangements/arrangements';
import type { Held, PbxDriver } from '../../../src/telephony/actors/pbx-instance/driver';
import { ensurePbxHas } from '../../../src/telephony/actors/pbx-instance/drivers';
import { freePbx } from '../../../src/telephony/actors/pbx-instance/freepbx';
import { openTokens } from '../../../src/telephony/actors/pbx-instance/freepbx/freepbx-api';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { openFreePbxTarget, type FreePbxTarget } from '../../support/telephony/freepbx-target';

let target: FreePbxTarget;
let driver: PbxDriver;
let at: PbxArrangements;
let extension: number;
/** Numbers that were there before are left alone. */
let isFree = false;
const context = { key: 'interop-beside', deadlineMs: 20_000 };

beforeAll(async () => {
  target = await openFreePbxTarget();
  const secrets = openSecrets('interop'.repeat(8));
  const credentials = secrets.encrypt(`${target.client}:${target.secret}`);
  const instance = { uuid: '10000000-0000-4000-8000-0000000000f1', address: target.url, credentials };
  driver = freePbx({ secrets, pause: () => Promise.resolve() }, instance, openTokens());
  at = driver.arrangements!;
  for (const { kind, number } of [route(), group()]) {
    if (await at.get(kind, number, context))
      throw new Error(`There is a ${kind} ${number} already: choose others by --from`);
  }
  isFree = true;
  extension = target.firstNumber + 90;
  await driver.create(wantedExtension(), context);
});
afterAll(async () => {
  for (const made of isFree ? [route(), group()] : []) await at.remove(made.kind, made.number, context);
  if (isFree) await driver.delete(extension, context);
  await target.close();
});

function wantedExtension(more: object = {}): Held {
  const given: object = { name: 'Interop beside', voicemail: 'default', ...more };
  const credentials = { secret: '0123456789abcdef0123456789abcdef', password: '', voicemail_vmpwd: '471147' };
  return { number: extension, ...dataFor({ data: given }, extension), ...credentials };
}

const destination = (type: 'extension' | 'voicemail' | 'ring_group' | 'busy' | 'hangup', number: number | null) => ({
  type,
  number,
});
const group = (more: object = {}): WantedArrangement => ({
  kind: 'ring-group',
  number: target.firstNumber + 91,
  operation: context.key,
  isNew: true,
  data: {
    name: 'Interop group',
    members: [String(extension), '+15550100003'],
    strategy: 'ringall',
    ring_time: 15,
    prefix: '',
    no_answer: null,
    ...more,
  },
});
const route = (to = destination('extension', extension)): WantedArrangement => ({
  kind: 'number',
  number: Number(`1999${target.firstNumber}`),
  operation: context.key,
  isNew: true,
  data: { name: 'Interop route', destination: to },
});
const later = (wanted: WantedArrangement): WantedArrangement => ({ ...wanted, isNew: false });

test('A ring group is made, listed, and changed in every field', async () => {
  await at.put(group(), context);
  await ensureArranged(at, group(), context);
  expect(await at.list(context, [group()])).toContainEqual(await at.get('ring-group', group().number, context));
  const box = destination('voicemail', extension);
  const more = {
    name: 'Other',
    members: ['+15550100004'],
    strategy: 'hunt',
    ring_time: 9,
    prefix: 'S:',
    no_answer: box,
  };
  await at.put(later(group(more)), context);
  await ensureArranged(at, group(more), context);
});

test('A number leads to an extension, a mailbox, a ring group, busy and nowhere', async () => {
  await at.put(route(), context);
  await ensureArranged(at, route(), context);
  expect(await at.list(context, [route()])).toContainEqual(await at.get('number', route().number, context));
  for (const to of [
    destination('voicemail', extension),
    destination('ring_group', group().number),
    destination('busy', null),
    destination('hangup', null),
  ]) {
    await at.put(later(route(to)), context);
    await ensureArranged(at, route(to), context);
  }
});

test('One that is there is not made anew with other content, and the same again changes nothing', async () => {
  const other = destination('busy', null);
  await expect(at.put(route(other), context)).rejects.toMatchObject({ name: 'NotThere' });
  const willChange = jest.fn();
  await at.put(later(route(destination('hangup', null))), { ...context, willChange });
  expect(willChange).not.toHaveBeenCalled();
});

test('A destination that is not there is refused', async () => {
  const lost = destination('extension', target.firstNumber + 92);
  await expect(at.put(later(route(lost)), context)).rejects.toMatchObject({ trouble: 'refused' });
});

test('What is removed is gone, and removing it again changes nothing', async () => {
  for (const made of [route(), group()]) {
    await at.remove(made.kind, made.number, context);
    await ensureRemoved(at, made, context);
    await at.remove(made.kind, made.number, context);
  }
});

test('Follow-me is stored completely, kept by updateExtension, and ended', async () => {
  const on = wantedExtension({
    findmefollow_enabled: 'yes',
    findmefollow_strategy: 'memoryhunt-prim',
    findmefollow_grplist: `${extension}-15550100003#`,
    findmefollow_grptime: 25,
    findmefollow_pre_ring: 0,
    findmefollow_grppre: 'F:',
    findmefollow_needsconf: true,
    findmefollow_postdest: 'app-blackhole,busy,1',
    findmefollow_changecid: 'fixed',
    findmefollow_fixedcid: '15550100009',
  });
  expect(await driver.lacks?.(on, {}, context)).toBeUndefined();
  const other = { ...on, secret: 'another-secret-0123456789' };
  for (const wanted of [on, other, wantedExtension()]) {
    await driver.update(wanted, { ...context, mayDiscard: true });
    await ensurePbxHas(driver, wanted, context);
  }
});
