/** The resources of one turn of a PBX instance. */
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
  /** When the operations were read. Their remaining time counts from here. */
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

/** Throws if another worker has taken over. A process that outlived its lease must not call the PBX any more. */
export const ensureCurrent = ({ turn }: TurnResources): Promise<void> => turn.commit(() => Promise.resolve());
