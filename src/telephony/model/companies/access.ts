/** Publishes that a company's keys or users changed, so that every node checks its sockets' access again. */
import { tenantOf } from '../../../kernel/actor/address';
import { socketEvent } from '../../../kernel/event-log/socket-events';
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { CompanyId } from './company';

/** One log for all companies. It is separate from theirs, because clients would see gaps in the numbering. */
export const ACCESS_LOG = tenantOf('tel', 'access');

/** Retained for long, so that a node that was cut off for a while still gets it. */
export const accessChanged = (companyId: CompanyId): Delivery => socketEvent(ACCESS_LOG, companyId);
