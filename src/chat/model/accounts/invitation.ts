/** An invitation to an organisation: to one address, or a reusable link. */
import { ensure } from '../../../kernel/fault';
import type { Delivery } from '../../../kernel/mysql/outbox';
import { eventDelivery } from '../events/event';
import { badArgument, badRequest, coded, plain } from '../faults';
import type { RealmId } from '../organisation/realm';
import { isOwner, moderates, roleNumber, type Standing, standingOf } from '../users/role';
import type { User, UserId } from '../users/user';
import { ownersOnly } from '../users/user-faults';

export interface Invitation extends Standing {
  readonly id: number;
  readonly realmId: RealmId;
  readonly inviterId: UserId;
  /** Null for a reusable link. */
  readonly email: string | null;
  readonly streamIds: readonly number[];
  readonly nonce: string;
  readonly invitedAt: Date;
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
  /** Of a reusable link: accounts made with it, and how many there may be; null: any number. */
  readonly uses: number;
  readonly maxUses: number | null;
  /** The reusable link that it was requested with. */
  readonly linkId: number | null;
}

/** How long an invitation is valid, and for how many people. */
export interface Bounds {
  /** Null: until it is revoked; undefined: as the server is configured. */
  readonly minutes?: number | null | undefined;
  readonly maxUses?: number | undefined;
}

/** Ten years. */
const MAX_MINUTES = 10 * 366 * 24 * 60;
const MAX_USES = 100_000;

export function checkBounds({ minutes, maxUses }: Bounds): void {
  if (typeof minutes === 'number' && (minutes < 1 || minutes > MAX_MINUTES))
    throw badArgument('invite_expires_in_minutes', String(minutes));
  if (maxUses !== undefined && (maxUses < 1 || maxUses > MAX_USES)) throw badArgument('max_uses', String(maxUses));
}

/** Whether a reusable link has uses left. */
export const hasUsesLeft = ({ uses, maxUses }: Invitation): boolean => maxUses === null || uses < maxUses;

/** The wire format's role numbers: those of Zulip 2.1, which answers use, and those of today's. */
const OLDER: Readonly<Record<number, number>> = { 1: 400, 2: 200, 3: 600 };

export const roleInvitedAs = (written: number): Standing | undefined => standingOf(OLDER[written] ?? written);
/** Clients of 2.1 have no number for owners and moderators. */
export function invitedAs(standing: Standing): number {
  const number = roleNumber(standing);
  return Number(Object.keys(OLDER).find((each) => OLDER[Number(each)] === number) ?? number);
}

/** Splits pasted addresses: separated by commas or line breaks, with or without names. */
export function readAddresses(written: string): string[] {
  const addresses = written.split(/[,\n]/).map((part) => (/<([^<>]*)>/.exec(part)?.[1] ?? part).trim());
  return [...new Set(addresses.filter((address) => address !== ''))];
}

export const invalidInvitedRole = () => plain('Must be invited as an valid type of user');
export const onlyAdminsInviteAdmins = () => plain('Must be an organization administrator');
/** Nobody invites others to more than they are themselves, and only administrators invite moderators. */
export function checkRole(by: User, invitedAs: number): Standing {
  const standing = roleInvitedAs(invitedAs);
  ensure(standing !== undefined, invalidInvitedRole());
  ensure(!moderates(standing) || by.role === 'admin', onlyAdminsInviteAdmins());
  ensure(!isOwner(standing) || isOwner(by), ownersOnly());
  return standing;
}

export const noAddresses = () => plain('You must specify at least one email address.');
export const noStreams = () => plain('You must specify at least one stream for invitees to join.');
export const noSuchInvitedStream = (id: number) => plain(`Stream does not exist with id: ${id}. No invites were sent.`);
export const noSuchLinkedStream = (id: number) => plain(`Invalid stream id ${id}. No invites were sent.`);
export const noSuchInvitation = () => badRequest('No such invitation');
export const mailIsOff = () =>
  coded('invalid', 'MAIL_DISABLED', 'This server sends no mail: whoever runs it has to set SMTP_URL');
/** The same message whatever is wrong with the link, so that guessing reveals nothing. */
export const invalidLink = () =>
  coded('invalid', 'INVALID_LINK', 'This link is invalid, has expired or was used before');

/** An address, and why it was not invited. */
export type NotInvited = readonly [email: string, reason: string];

const notInvited = (message: string, errors: readonly NotInvited[] = [], isAnySent = false) =>
  coded('invalid', 'INVITATION_FAILED', message, { errors, sent_invitations: isAnySent });

export const badAddresses = (errors: readonly NotInvited[]) =>
  notInvited("Some emails did not validate, so we didn't send any invitations.", errors);
export const nobodyInvited = (errors: readonly NotInvited[]) => notInvited("We weren't able to invite anyone.", errors);
export const someNotInvited = (errors: readonly NotInvited[]) =>
  notInvited(
    "Some of those addresses are already using Zulip, so we didn't send them an invitation. " +
      'We did send invitations to everyone else!',
    errors,
    true,
  );
export const tooManyLinks = (most: number) => plain(`You have ${most} invitation links already. Revoke one first.`);
export const tooManyInvitations = (most: number) =>
  notInvited(
    `This organization may send ${most} invitations in 24 hours, and would exceed that. No invitations were sent.`,
  );

/** Tells administrators and the inviter that the list of invitations has changed, so that their clients fetch it again. */
export const invitationsChanged = (realmId: RealmId, admins: readonly UserId[], inviter: UserId): Delivery =>
  eventDelivery(
    realmId,
    { ids: [...new Set([...admins, inviter])], role: 'admin', entitled: [inviter] },
    { type: 'invites_changed' },
  );
