/**
 * A company's keys or users changed, so that some may no longer be connected: every node looks at its sockets again.
 */
import { tenantOf } from '../../../kernel/actor/address';
import { socketEvent } from '../../../kernel/event-log/socket-events';
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { CompanyId } from './company';

/** One log for all companies, apart from theirs: clients number those, and would miss the numbers they are not told. */
export const ACCESS_LOG = tenantOf('tel', 'access');

/** Kept long, so that a node that was cut off for a while still learns of it. */
export const accessChanged = (companyId: CompanyId): Delivery => socketEvent(ACCESS_LOG, companyId);
