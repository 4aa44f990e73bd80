/** The versions of a message at each of its edits, oldest first. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { contentDiff } from '../../model/markdown/content-diff';
import { historyDisabled } from '../../model/messages/edit-policy';
import type { Message } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import * as realms from '../../store/organisation/realms';
import { accessMessage } from './access-message';

export interface Snapshot {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly timestamp: number;
  readonly user_id: number;
  readonly prev_topic?: string;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly content_html_diff?: string;
}

export async function getHistory(db: Database, by: User, id: number): Promise<{ message_history: Snapshot[] }> {
  const { settings } = (await realms.byId(db, by.realmId))!;
  ensure(settings.allow_edit_history, historyDisabled());
  return { message_history: snapshots(await accessMessage(db, by, id)) };
}

/** Works from the newest version back: each edit records what it replaced. */
function snapshots(message: Message): Snapshot[] {
  let now = { topic: message.topic, content: message.content, rendered_content: message.rendered };
  const found: Snapshot[] = [];
  for (const edit of message.edits) {
    const { timestamp, user_id: userId, prev_subject: topic, prev_content: content } = edit;
    const rendered = edit.prev_rendered_content ?? '';
    found.push({
      ...now,
      timestamp,
      user_id: userId,
      ...(topic === undefined ? {} : { prev_topic: topic }),
      ...(content === undefined
        ? {}
        : {
            prev_content: content,
            prev_rendered_content: rendered,
            content_html_diff: contentDiff(rendered, now.rendered_content),
          }),
    });
    now = {
      topic: topic ?? now.topic,
      content: content ?? now.content,
      rendered_content: content === undefined ? now.rendered_content : rendered,
    };
  }
  return [...found, { ...now, timestamp: message.sentAt, user_id: message.senderId }].reverse();
}
