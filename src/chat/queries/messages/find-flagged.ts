/** Whom a message flags: who is mentioned, whose alert words it has, and who takes part in a topic that it mentions. */
import type { Database } from '../../../kernel/mysql/pool';
import type { FlagName } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import * as topics from '../../store/messages/topic-participants';
import type { RenderedContent } from './render-content';

export type Flagged = readonly { readonly userId: UserId; readonly flag: FlagName }[];

const NOBODY: Flagged = [];

interface Where {
  readonly realmId: RealmId;
  /** Null in private conversations. */
  readonly topicId: number | null;
}

/** Only users in the audience. A wildcard mention is a trait of the message, not a row per user. */
export async function findFlagged(
  db: Database,
  { realmId, topicId }: Where,
  { mentionedUserIds, alertedUserIds, mentionsTopic }: RenderedContent,
  audience: ReadonlySet<UserId>,
): Promise<Flagged> {
  const inTopic = mentionsTopic && topicId !== null ? await topics.participants(db, realmId, topicId) : [];
  if (mentionedUserIds.length + alertedUserIds.length + inTopic.length === 0) return NOBODY;
  const heard = (ids: readonly UserId[], flag: FlagName) =>
    ids.filter((id) => audience.has(id)).map((userId) => ({ userId, flag }));
  return [
    ...heard(mentionedUserIds, 'mentioned'),
    ...heard(inTopic, 'wildcard_mentioned'),
    ...heard(alertedUserIds, 'has_alert_word'),
  ];
}
