import type { Kernel } from '../../../src/kernel/kernel';
import { Superseded } from '../../../src/kernel/mailbox/lease';
import { breakerOf } from '../../../src/telephony/actors/breaker';
import { isPbxFailing, isPbxTrouble, PbxError } from '../../../src/telephony/actors/pbx-instance/driver';
import { perform } from '../../../src/telephony/actors/pbx-instance/carry-out';
import type { Plan } from '../../../src/telephony/actors/pbx-instance/plans';
import type { Operation } from '../../../src/telephony/model/extensions/operation';

const operation = { id: 'o1', kind: 'create', state: 'pending' } as Operation;
const away = () => Promise.reject(new Error('Connection is closed.'));
const kernel = {
  namespace: 'test',
  log: { warn: () => {} },
  redis: { commands: { pttl: away, get: away, del: away, incr: away, pexpire: away, set: away } },
} as unknown as Kernel;

const settings = { pbxCallMs: 5000, breakerOpenMs: 1000, breakerFailures: 3 };
const resourcesWith = (ensureLease: () => Promise<void>) =>
  ({
    turn: { kernel, ensureLease },
    settings,
    endsAt: Date.now() + 60_000,
    breaker: breakerOf(
      kernel,
      { tenant: 'test:one' as never, kind: 'pbx', id: 'x' },
      { ...settings, isTrouble: isPbxTrouble, isFailing: isPbxFailing },
    ),
  }) as unknown as Parameters<typeof perform>[0];
const planWith = (call: () => Promise<void>) => ({ call, confirm: () => Promise.resolve() }) as unknown as Plan;

test('An order that the PBX has carried out succeeds though Redis is unreachable for the circuit breaker', async () => {
  const call = jest.fn(() => Promise.resolve());
  const resources = resourcesWith(() => Promise.resolve());
  expect(await perform(resources, operation, planWith(call))).toBeUndefined();
  expect(call).toHaveBeenCalledTimes(1);
});

test('An order that the PBX refuses fails with its reason though Redis is unreachable for the circuit breaker', async () => {
  const call = () => Promise.reject(new PbxError('refused', 'The PBX refuses it'));
  const resources = resourcesWith(() => Promise.resolve());
  expect(await perform(resources, operation, planWith(call))).toMatchObject({
    detail: 'The PBX refuses it; nothing was created',
    undo: false,
  });
});

test('A worker that another has overtaken does not call the PBX, not even for the first time', async () => {
  const call = jest.fn(() => Promise.resolve());
  const resources = resourcesWith(() => Promise.reject(new Superseded('pbx/x')));
  await expect(perform(resources, operation, planWith(call))).rejects.toBeInstanceOf(Superseded);
  expect(call).not.toHaveBeenCalled();
});
