/** How a user is shown to others: a main status that follows presence, and an additional one. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/events';
import type { StatusEvent } from '../companies/company-event';
import type { CompanyId } from '../companies/company';
import type { ContactId } from './contact';

export type ActionType = 'manual' | 'automatic';

export interface Shown {
  readonly status: string;
  readonly actionType: ActionType;
}

export interface Status {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
  readonly email: string;
  /** What others see. */
  readonly main: Shown;
  /** The status that the user last chose. It is shown again when they come online. */
  readonly chosen: string | null;
  readonly additional: Shown;
  /** Whether any client of the user is connected to any node. */
  readonly isOnline: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const OFFLINE: Shown = { status: 'offline', actionType: 'automatic' };
export const NOTHING: Shown = { status: '', actionType: 'automatic' };
/** The additional status of a user whose extension has a call. */
export const ON_PHONE: Shown = { status: 'on-the-phone', actionType: 'automatic' };
const AVAILABLE: Shown = { status: 'available', actionType: 'automatic' };

/** Clients have icons for some names and show the others as text. */
export const STATUS_NAME = /^[a-z0-9]+([_-][a-z0-9]+)*$/;
export const MAX_STATUS_LENGTH = 40;

export const comeOnline = (status: Status): Status => ({
  ...status,
  isOnline: true,
  main: status.chosen === null ? AVAILABLE : { status: status.chosen, actionType: 'manual' },
});

export const goOffline = (status: Status): Status => ({ ...status, isOnline: false, main: OFFLINE });

export const choose = (status: Status, chosen: string): Status => ({
  ...status,
  chosen,
  main: { status: chosen, actionType: 'manual' },
});

const isSame = (one: Shown, other: Shown): boolean =>
  one.status === other.status && one.actionType === other.actionType;

/** The statuses that changed, in the order in which they are published. */
export const changedStatuses = (before: Status, after: Status): Shown[] =>
  (['main', 'additional'] as const).filter((each) => !isSame(before[each], after[each])).map((each) => after[each]);

const shown = ({ status, actionType }: Shown) => ({ status, action_type: actionType });

/** The REST format: both statuses, and the main one again as `status`. */
export const statusObject = (status: Status): Wire<typeof answers.status> => ({
  ...statusEvent(status, status.main),
  main_status: shown(status.main),
  additional_status: shown(status.additional),
});

/** The event format: exactly the fields of the specification, with the changed status. */
export const statusEvent = (status: Status, changed: Shown): StatusEvent => ({
  id: status.id,
  company_id: status.companyId,
  user_id: status.contactId,
  user_email: status.email,
  status: shown(changed),
  created_at: status.createdAt.toISOString(),
  updated_at: status.updatedAt.toISOString(),
  deleted_at: null,
});
