/** Stores an inbound text once, in the conversation of its two numbers, which is created if needed. */
import type { Clock } from '../../../kernel/clock';
import type { Storage } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx } from '../../../kernel/mysql/transaction';
import { DEFAULT_TIMEZONE } from '../../model/texting/conversation';
import { consentWordOf, helpText, type ConsentWord } from '../../model/texting/opt-out';
import { readNumber } from '../../model/texting/phone-number';
import type { E164, InboundText } from '../../model/texting/texting';
import * as companies from '../../store/companies/companies';
import * as optOuts from '../../store/texting/opt-outs';
import * as numbers from '../../store/texting/text-numbers';
import * as contacts from '../../store/texting/texting-contacts';
import * as texts from '../../store/texting/texts';
import { announce } from '../push/tell-devices';
import { beginConversation } from './create-conversation';
import { keepMedia } from './media';
import { optOut } from './change-opt-outs';
import { writeInbound, writeOutbound, type Place } from './write-text';

/** `refused` says why: the account has no such number, or the sender's number cannot be answered. */
export type Received = 'received' | 'duplicate' | { readonly refused: string };

/** Many times what carriers let through. */
const MAX_INBOUND_LENGTH = 10_000;

export async function receiveText(kernel: Storage, inbound: InboundText): Promise<Received> {
  const to = readNumber(inbound.to);
  const from = readNumber(inbound.from);
  if (!to) return { refused: `to: ${quoted(inbound.to)} is no telephone number` };
  if (!from) return { refused: `from: ${quoted(inbound.from)} is no telephone number that could be answered` };
  try {
    return await kernel.transaction((tx) => receiveIn(kernel.clock, tx, { ...inbound, ours: to, theirs: from }));
  } catch (error) {
    // The same text arrived twice at once, and the other one was stored.
    if (isDuplicate(error)) return 'duplicate';
    throw error;
  }
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

interface Arrival extends InboundText {
  readonly ours: E164;
  readonly theirs: E164;
}

async function receiveIn(clock: Clock, tx: Tx, arrival: Arrival): Promise<Received> {
  const { db } = tx;
  const { ours, theirs, carrierAccountId, carrierMessageId } = arrival;
  if (await texts.isKnown(db, carrierAccountId, carrierMessageId)) return 'duplicate';
  const number = await numbers.byE164(db, ours);
  // An account may only receive for its own numbers, not another company's.
  if (number?.carrierAccountId !== carrierAccountId) return { refused: `to: ${ours} is no number of this account` };

  const { companyId } = number;
  const members = await contacts.ensureAll(db, companyId, [{ e164: theirs, raw: arrival.from.slice(0, 40) }]);
  const at = clock.now();
  const pair = { type: 'direct', name: '', timezone: DEFAULT_TIMEZONE, fromNumber: ours } as const;
  const { conversation } = await beginConversation(tx, { ...pair, companyId, members, at });
  const written = writeInbound(
    tx,
    { conversation, members, at },
    {
      text: arrival.text.slice(0, MAX_INBOUND_LENGTH),
      files: await keepMedia(tx, { companyId, userId: members[0]!.id, at }, arrival.media),
      origin: { carrierAccountId, carrierMessageId },
    },
  );
  const { id: conversationId, inboundCount: seq } = written.conversation;
  await announce(tx, companyId, { conversationId, seq });
  const word = consentWordOf(arrival.text);
  if (word)
    await applyConsentWord(tx, word, { ...arrival, place: { conversation: written.conversation, members, at } });
  return 'received';
}

/** Acts on STOP, START and HELP. The text itself is stored like any other. */
async function applyConsentWord(tx: Tx, word: ConsentWord, arrival: Arrival & { place: Place }): Promise<void> {
  const { ours, theirs, place, carrierAccountId } = arrival;
  const { companyId } = place.conversation;
  const pair = { companyId, ourNumber: ours, theirNumber: theirs };
  if (word === 'start') return optOuts.remove(tx.db, pair);
  if (word === 'stop') return optOut(tx, pair, 'text');
  const company = await companies.byId(tx.db, companyId);
  const answer = { text: helpText(company?.name ?? ''), files: [], stampId: null, idempotencyKey: undefined };
  writeOutbound(tx, place, { ...answer, carrierAccountId, sender: null });
}
