/** Telephony's jobs. Nothing in them is secret: they name rows. */
import { defineJob } from '../kernel/jobs/job';
import type { CompanyId } from './model/company';

/** Carry out what is to be done on an instance, up to this operation. */
export interface ProvisionOrder {
  readonly companyId: CompanyId;
  readonly instance: string;
  readonly upTo: number;
}

export const provision = defineJob<ProvisionOrder>('pbx', { attempts: 3, backoffMs: 200 });
