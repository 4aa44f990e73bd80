/** Telephony's jobs. Nothing in them is secret: they name rows and addresses. */
import { defineJob } from '../kernel/jobs/job';
import { companyTenant, type CompanyId } from './model/companies/company';

/** Work that belongs to a company. */
interface OfCompany {
  readonly companyId: CompanyId;
}

const whose = ({ companyId }: OfCompany) => companyTenant(companyId);

export interface InstanceOrder extends OfCompany {
  readonly instance: string;
}

/** Carry out what is to be done on an instance, up to this operation at least. */
export interface ProvisionOrder extends InstanceOrder {
  /** Its id, or its number. */
  readonly upTo: number | string;
}

export const provision = defineJob<ProvisionOrder>('pbx', { attempts: 3, backoffMs: 200, whose });

/** Find orders that nobody looks after. */
export const sweepOrders = defineJob<null>('pbx-sweep', { attempts: 1, backoffMs: 1000 });

/** Have every PBX compared. */
export const reconcileAll = defineJob<null>('pbx-reconcile-all', { attempts: 1, backoffMs: 1000 });

/** Find users whom no node reports any more. */
export const sweepPresence = defineJob<null>('presence-sweep', { attempts: 1, backoffMs: 1000 });
