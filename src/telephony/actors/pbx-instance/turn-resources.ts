/** What a turn of a PBX instance works with. */
import type { MailTurn } from '../../../kernel/mailbox/work';
import { companyTenant } from '../../model/companies/company';
import type { Operation, ProvisioningSettings } from '../../model/extensions/operation';
import type { Instance } from '../../model/sites/site';
import { breakerOf, type Breaker } from '../breaker';
import { isPbxTrouble } from './driver';
import type { PbxDriver } from './driver';

export interface TurnResources {
  readonly turn: MailTurn;
  readonly settings: ProvisioningSettings;
  readonly instance: Instance;
  readonly driver: PbxDriver;
  readonly breaker: Breaker;
  /** When the operations were read: their time runs from there. */
  readonly readAt: number;
}

export const openBreaker = (
  { kernel }: MailTurn,
  { companyId, uuid }: Instance,
  settings: ProvisioningSettings,
): Breaker =>
  breakerOf(
    kernel,
    { tenant: companyTenant(companyId), kind: 'pbx', id: uuid },
    { ...settings, isTrouble: isPbxTrouble },
  );

export const leftMs = (resources: TurnResources, operation: Operation): number =>
  operation.leftMs - (Date.now() - resources.readAt);

/** Throws when another worker has taken over: a process that slept through its lease must not tell the PBX anything more. */
export const ensureCurrent = ({ turn }: TurnResources): Promise<void> => turn.commit(() => Promise.resolve());
