/** Opens a narrow for scanning, and tells which of the given messages match one. */
import type { Database } from '../../../kernel/mysql/pool';
import { known, runRead, together } from '../../../kernel/mysql/read-packet';
import type { Wire } from '../../../kernel/text/wire';
import type { matchesAnswer } from '../../model/answers/messages';
import { badRequest } from '../../model/faults';
import type { Term } from '../../model/reading/narrow';
import { driversOf } from '../../model/reading/narrow-drivers';
import { highlightHtml, highlightText } from '../../model/reading/search-words';
import type { TopicPolicies } from '../../model/streams/topic-policy';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import { refs as refsOf } from '../../store/reading/message-refs';
import { positionsRead } from '../../store/reading/search';
import { policiesRead } from '../../store/streams/user-topics';
import { followMessage } from './follow-message';
import { narrowRead } from './resolve-narrow';
import { accept, scanDeadline, type Scope } from './scan-messages';

interface Matching {
  readonly ids: readonly number[];
  readonly terms: readonly Term[];
  /** Size limit of the matching messages, in bytes. */
  readonly limitBytes: number;
}

export async function matchNarrow(
  db: Database,
  by: User,
  { ids, terms, limitBytes }: Matching,
): Promise<Wire<typeof matchesAnswer>> {
  const scope = await openNarrow(db, by, terms);
  const refs = await accept(scope, await refsOf(db, by.realmId, ids));
  const found = refs.map(({ id }) => id);
  const sizes = await messages.sizes(db, by.realmId, found, { wantsHtml: true });
  let bytes = 0;
  for (const size of sizes.values()) bytes += size;
  // Leaving some out would claim that they do not match.
  if (bytes > limitBytes) throw badRequest(`The messages are larger than ${limitBytes} bytes: name fewer of them`);
  const rows = await messages.byIds(db, by.realmId, found);
  return { messages: Object.fromEntries(rows.map((row) => [row.id, matchOf(row, scope.narrow.words)])) };
}

export const matchOf = (message: { rendered: string; topic: string }, words: ReadonlySet<string>) => ({
  match_content: highlightHtml(message.rendered, words),
  match_subject: highlightText(message.topic, words),
});

export interface OpenScope extends Scope {
  /** Of the reader's topics; empty unless requested. */
  readonly policies: TopicPolicies;
}

/** Prepares it in one round trip: resolves names, chooses drivers and sets a deadline. */
export async function openNarrow(
  db: Database,
  by: User,
  written: readonly Term[],
  wants: { readonly policies?: boolean } = {},
): Promise<OpenScope> {
  const terms = await followMessage(db, by, written);
  const { resolved, positions, policies } = await runRead(
    db,
    together({
      resolved: narrowRead(by, terms),
      positions: positionsRead(by.realmId),
      policies: wants.policies === true ? policiesRead(by.id) : known<TopicPolicies>(new Map()),
    }),
  );
  const drivers = driversOf(resolved.narrow, { ...resolved, ...positions });
  return { db, by, ...resolved, ...positions, drivers, policies, deadline: scanDeadline() };
}
