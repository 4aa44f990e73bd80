/** Telephony's mailboxes: what is different about each kind of work that waits in rows. */
import { mailboxDesk } from '../../kernel/mailbox/desk';
import { defineMailbox } from '../../kernel/mailbox/mailbox';
import { ownDesk, ownTable } from '../../kernel/mailbox/own-mail';
import { MOST_ATTEMPTS, pauseAfter } from '../model/portal/company-webhook';
import type { PortalLetter } from '../model/portal/portal-letters';
import type { TextToSend } from '../model/texting/texting';
import { adoptBulkOrders, adoptCalls, adoptDeleted, adoptFaxes, adoptLetters, adoptTexts } from '../store/former-work';
import { deliveryDesk, deliveryTable } from '../store/portal/webhook-deliveries';
import { callDesk, callTable } from '../store/texting/carrier-calls';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A link that comes later is of no use. */
export const STALE_LETTER_MS = 2 * HOUR_MS;

/** Letters with links into the portal, each by itself. A letter cannot be called back. */
export const portalLetters = defineMailbox('portal-mail', {
  table: ownTable<PortalLetter>('portal-mail'),
  concurrency: 4,
  attempts: 20,
  giveUpMs: STALE_LETTER_MS,
  pauseMs: (attempts) => 30_000 * 2 ** Math.min(attempts, 5),
  attemptMs: 120_000,
  isRepeatable: false,
  order: 'loose',
  mostInATurn: 1,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
  adopt: adoptLetters,
});

/** Events on their way to an address of a company, in order. An event keeps its id when it is posted twice. */
export const companyWebhooks = defineMailbox('portal-webhooks', {
  table: deliveryTable,
  concurrency: 8,
  attempts: MOST_ATTEMPTS,
  pauseMs: (attempts) => pauseAfter(attempts + 1),
  attemptMs: 15_000,
  isRepeatable: true,
  order: 'strict',
  mostInATurn: 100,
  // The newest of each webhook are kept, however old.
  keep: {},
  // So late an event may be.
  sweepMs: 2000,
  isShared: true,
});

/** Done again without harm, so that another worker takes over at once. */
const IN_THE_BACKGROUND = {
  attempts: 20,
  pauseMs: (attempts: number) => Math.min(1000 * 2 ** attempts, HOUR_MS / 6),
  isRepeatable: true,
  order: 'loose',
  keep: { done: 0, dropped: 0, failed: 30 * DAY_MS },
} as const;

/** Faxes for their carrier, which knows each by its id. */
export const faxes = defineMailbox('fax-outbound', {
  ...IN_THE_BACKGROUND,
  table: ownTable<{ readonly faxId: string }>('fax-outbound'),
  concurrency: 8,
  attemptMs: 60_000,
  mostInATurn: 1,
  isShared: true,
  adopt: adoptFaxes,
});

/** Deleted conversations, whose texts are emptied. */
export const deletedConversations = defineMailbox('texting-forget', {
  ...IN_THE_BACKGROUND,
  table: ownTable<{ readonly conversationId: string }>('texting-forget'),
  concurrency: 2,
  attemptMs: 60_000,
  mostInATurn: 20,
  adopt: adoptDeleted,
});

/** What carriers told us, account by account in the order it came. A call that awaits a text lets others pass. */
export const carrierCalls = defineMailbox('texting-inbound', {
  table: callTable,
  concurrency: 8,
  // About an hour in all.
  attempts: 12,
  pauseMs: (attempts) => Math.min(1000 * 2 ** attempts, HOUR_MS / 6),
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'loose',
  batch: 50,
  mostInATurn: 200,
  // As long as a carrier may tell the same again. Dead letters stay until somebody reads them again.
  keep: { done: 7 * DAY_MS, dropped: 30 * DAY_MS },
  isShared: true,
  adopt: adoptCalls,
});

/**
 * Texts for carriers, conversation by conversation in the order they were written. A carrier that takes each text once is
 * called again by whoever takes over; another is not, because the text says that the carrier was called.
 */
export const textsToSend = defineMailbox('texting-outbound', {
  table: ownTable<TextToSend>('texting-outbound'),
  // Enough for several carriers that hang at the same time: each may hold a fifth of them, until its breaker opens.
  concurrency: 100,
  // For as long as CARRIER_GIVE_UP_MS.
  attempts: Infinity,
  pauseMs: (attempts) => Math.min(2000 * 2 ** attempts, 60_000),
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  mostInATurn: 100,
  keep: { done: 0, dropped: 0, failed: 30 * DAY_MS },
  isShared: true,
  adopt: adoptTexts,
});

/**
 * Orders of many extensions, each by itself: an attempt does the next few rows, whose orders are known by their keys.
 */
export const bulkOrders = defineMailbox('pbx-bulk', {
  ...IN_THE_BACKGROUND,
  table: ownTable<{ readonly id: string }>('pbx-bulk'),
  concurrency: 4,
  // Longer than a row may wait for its PBX.
  attemptMs: 11 * MINUTE_MS,
  mostInATurn: 5,
  isShared: true,
  adopt: adoptBulkOrders,
});

export interface PbxMail {
  /** Whether it asks for a comparison with the database; otherwise for a look at what is due. */
  readonly isComparison?: boolean;
}

/**
 * PBXs with something to do: orders, what is left of orders that failed, reloads and comparisons. All of it is found anew
 * at every look, so that it may be repeated.
 */
export const pbxInstances = defineMailbox('pbx', {
  ...IN_THE_BACKGROUND,
  table: ownTable<PbxMail>('pbx'),
  // An order that nobody can carry out is given up after three; others may wait behind it.
  attempts: 10,
  pauseMs: (attempts) => Math.min(200 * 2 ** attempts, 5000),
  // One slot for each PBX that may hang at the same time.
  concurrency: 200,
  // A PBX with many extensions, of which many have to be mended one by one.
  attemptMs: 30 * MINUTE_MS,
  batch: 100,
  mostInATurn: 1000,
  isShared: true,
});

export const desks = [
  mailboxDesk(carrierCalls, callDesk),
  ownDesk(textsToSend, 'texts on their way to a carrier'),
  ownDesk(faxes, 'faxes on their way to a carrier'),
  ownDesk(bulkOrders, 'orders of many extensions'),
  ownDesk(pbxInstances, 'PBXs with orders, reloads or comparisons to look after'),
  ownDesk(deletedConversations, 'deleted conversations that are being emptied'),
  ownDesk(portalLetters, 'letters with links into the portal'),
  mailboxDesk(companyWebhooks, deliveryDesk),
];
