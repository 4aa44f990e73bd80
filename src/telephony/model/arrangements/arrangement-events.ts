/** What a company's clients are told when a ring group, a number from outside or forwards change. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/arrangements';
import { companyDelivery } from '../companies/company-event';
import type { CompanyId } from '../companies/company';
import type { Arrangement, MadeKind } from './arrangement';
import { numberObject, ringGroupObject } from './arrangement-wire';

/** Made or changed. */
export const arrangementChanged = (made: Arrangement<MadeKind>): Delivery =>
  made.kind === 'number'
    ? companyDelivery(made.companyId, 'number.updated', numberObject(made as Arrangement<'number'>))
    : companyDelivery(made.companyId, 'ring_group.updated', ringGroupObject(made as Arrangement<'ring-group'>));

export const arrangementDeleted = ({ kind, id, instance, companyId }: Arrangement<MadeKind>): Delivery =>
  companyDelivery(companyId, kind === 'number' ? 'number.deleted' : 'ring_group.deleted', {
    id,
    instance_uuid: instance,
  });

export const forwardsChanged = (companyId: CompanyId, forwards: Wire<typeof answers.forwards>): Delivery =>
  companyDelivery(companyId, 'extension.forwards.updated', forwards);
