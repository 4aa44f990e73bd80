/**
 * An order to a PBX: pending, running, then succeeded or failed. `undoing`: failed, with something left to clean. `stuck`:
 * failed, and the cleaning was given up.
 */
import type { FaultKind } from '../../../kernel/fault';
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/extensions';
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';
import type { Extension } from './extension';
import { changedData, credentialsFor, purposeFor, type ExtensionBody } from './extension-draft';

/** Clients may query a finished order for this long. */
export const KEPT_MS = 7 * 24 * 3_600_000;

declare const operation: unique symbol;
export type OperationId = string & { readonly [operation]: true };

/** What an order is about. Of forwards and of a call, the extension whose they are. */
export const OPERATION_OBJECTS = ['extension', 'ring-group', 'number', 'forwards', 'call'] as const;
export type OperationObject = (typeof OPERATION_OBJECTS)[number];
export type OperationKind = 'create' | 'update' | 'delete';
export type OperationState = 'pending' | 'running' | 'undoing' | 'stuck' | 'succeeded' | 'failed';

export interface Operation {
  readonly number: number;
  readonly id: OperationId;
  readonly companyId: CompanyId;
  readonly instance: string;
  readonly kind: OperationKind;
  readonly object: OperationObject;
  readonly objectId: string;
  readonly objectNumber: number;
  readonly payload: string | null;
  /** A marker of the created extension, for a PBX that cannot store the id. Only creations have one. */
  readonly mark: string | null;
  /** Whoever ordered it accepts that the messages of the mailbox are deleted. */
  readonly mayDiscard: boolean;
  readonly by: {
    readonly companyId: CompanyId;
    readonly contactId: ContactId;
    readonly isOwner: boolean;
    readonly from: string;
  };
  readonly state: OperationState;
  readonly faultKind: FaultKind | null;
  readonly detail: string | null;
  readonly answer: string | null;
  /** Milliseconds until the deadline; negative once it has passed. */
  readonly leftMs: number;
  /** Milliseconds since the PBX was last told something that it may still do; Infinity if it was told nothing. */
  readonly calledAgoMs: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** What a waiting request gets once the operation is over. The answer is encrypted. */
export type Answered = Pick<Operation, 'id' | 'state' | 'faultKind' | 'detail' | 'answer'>;

/** An update, applied when its turn comes, because earlier orders may have changed the extension. */
export interface ExtensionChange {
  readonly mode: 'replace' | 'merge';
  readonly body: ExtensionBody;
  /** Undefined keeps the current user. */
  readonly userId?: ContactId | null;
  readonly locationId?: string;
  readonly warnings: readonly string[];
}

/** What becomes of an extension by a change. */
export function changed(before: Extension, change: ExtensionChange, updatedAt: Date): Extension {
  const { mode, body } = change;
  return {
    ...before,
    userId: change.userId === undefined ? before.userId : change.userId,
    locationId: change.locationId ?? before.locationId,
    purpose: purposeFor(body, mode === 'replace' ? undefined : before.purpose),
    data: changedData(mode, body, before.number, before.data),
    credentials: credentialsFor(body, before.credentials),
    updatedAt,
  };
}

/** A creation's row is written with the order; only what its answer says beyond the row is kept here. */
export interface ExtensionCreation {
  readonly warnings: readonly string[];
}

/** Timeouts and intervals for everything that talks to PBXs. */
export interface ProvisioningSettings {
  readonly pbxCallMs: number;
  readonly pbxOperationMs: number;
  readonly pbxLateMs: number;
  readonly pbxSweepMs: number;
  readonly pbxReloadMs: number;
  readonly reconcileMs: number;
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
}

/** The Redis channel on which finished operations are published. */
export const OPERATIONS_CHANNEL = 'tel-operations';

const isOver = (state: OperationState): boolean => !['pending', 'running'].includes(state);

export const operationObject = (operation: Operation): Wire<typeof answers.operation> => ({
  id: operation.id,
  kind: operation.kind,
  // Clients see an undo as failed, because the answer is final.
  state: operation.state === 'undoing' || operation.state === 'stuck' ? 'failed' : operation.state,
  is_finished: isOver(operation.state),
  instance_uuid: operation.instance,
  object: operation.object,
  object_id: operation.objectId,
  extension_id: ['ring-group', 'number'].includes(operation.object) ? '' : operation.objectId,
  number: operation.objectNumber,
  detail: operation.detail,
  created: operation.createdAt.toISOString(),
  finished: operation.finishedAt?.toISOString() ?? null,
});
