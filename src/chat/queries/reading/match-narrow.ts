/** Tells which of the given messages match a narrow. */
import type { Database } from '../../../kernel/mysql/pool';
import { badRequest } from '../../model/faults';
import type { Term } from '../../model/reading/narrow';
import { highlightHtml, highlightText } from '../../model/reading/search-words';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import { refs as refsOf } from '../../store/reading/narrowed-messages';
import { openNarrow } from './open-narrow';
import { accept } from './scan-messages';

export interface Match {
  readonly match_content: string;
  readonly match_subject: string;
}

export interface Matching {
  readonly ids: readonly number[];
  readonly terms: readonly Term[];
  /** Size limit of the matching messages, in bytes. */
  readonly limitBytes: number;
}

export async function matchNarrow(
  db: Database,
  by: User,
  { ids, terms, limitBytes }: Matching,
): Promise<{ messages: Record<number, Match> }> {
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

export const matchOf = (message: { rendered: string; topic: string }, words: ReadonlySet<string>): Match => ({
  match_content: highlightHtml(message.rendered, words),
  match_subject: highlightText(message.topic, words),
});
