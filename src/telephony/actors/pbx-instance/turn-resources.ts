/** What the mail of a PBX instance is handled with. */
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Replies } from '../../../kernel/replies';
import { companyTenant } from '../../model/companies/company';
import type { Answered, ProvisioningSettings } from '../../model/extensions/operation';
import type { StoredInstance } from '../../store/sites/sites';
import { breakerOf, type Breaker } from '../breaker';
import { isPbxFailing, isPbxTrouble, type PbxDriver } from './driver';
import type { PbxDrivers } from './drivers';

/** The parts of the product that PBX turns use. */
export interface PbxParts {
  readonly settings: ProvisioningSettings;
  readonly drivers: PbxDrivers;
  readonly answers: Replies<Answered>;
}

export interface TurnResources {
  readonly turn: MailTurn;
  readonly settings: ProvisioningSettings;
  readonly instance: StoredInstance;
  readonly driver: PbxDriver;
  readonly breaker: Breaker;
}

export function resourcesFor({ settings, drivers }: PbxParts, turn: MailTurn, instance: StoredInstance): TurnResources {
  const address = { tenant: companyTenant(instance.companyId), kind: 'pbx', id: instance.uuid } as const;
  const breaker = breakerOf(turn.kernel, address, { ...settings, isTrouble: isPbxTrouble, isFailing: isPbxFailing });
  return { turn, settings, instance, driver: drivers.of(instance), breaker };
}
