/** Which of some messages a narrow is about. */
import type { Kernel } from '../../kernel/kernel';
import type { Term } from '../model/narrow';
import { highlightHtml, highlightText } from '../model/search-highlight';
import type { User } from '../model/user';
import * as messages from '../store/messages';
import { glances as glancesOf } from '../store/narrowed-messages';
import { openNarrow } from './open-narrow';
import { accept } from './scan-messages';

export interface Match {
  readonly match_content: string;
  readonly match_subject: string;
}

export async function matchNarrow(
  kernel: Kernel,
  by: User,
  ids: readonly number[],
  terms: readonly Term[],
): Promise<{ messages: Record<number, Match> }> {
  const scope = await openNarrow(kernel, by, terms);
  const found = await accept(scope, await glancesOf(kernel.mysql, by.realmId, ids));
  const rows = await messages.byIds(
    kernel.mysql,
    by.realmId,
    found.map(({ id }) => id),
  );
  return { messages: Object.fromEntries(rows.map((row) => [row.id, matchOf(row, scope.narrow.words)])) };
}

export const matchOf = (message: { rendered: string; topic: string }, words: ReadonlySet<string>): Match => ({
  match_content: highlightHtml(message.rendered, words),
  match_subject: highlightText(message.topic, words),
});
