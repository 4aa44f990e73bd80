/** What an edit of a message needs, computed before rows are locked. */
import type { TopicLink } from '../../model/markdown/context';
import { type Circumstances } from '../../model/messages/edit-policy';
import { checkTopic } from '../../model/messages/draft';
import type { Message } from '../../model/messages/message';
import { checkNewContent, type Wish } from '../../model/messages/revision';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { findLinkedFiles } from '../../queries/uploads/files';
import { renderContent, type RenderedContent } from '../../queries/messages/render-content';
import { wantsPreviews } from '../../queries/messages/find-previews';

/** A checked edit, with everything that can be computed before rows are locked. */
export interface Plan extends Pick<Wish, 'mode'> {
  /** Whether a topic moves with all that was ever in it. */
  readonly isWhole: boolean;
  readonly circumstances: Circumstances;
  readonly words:
    | {
        readonly content: string;
        readonly rendered: RenderedContent;
        readonly uploadIds: readonly number[];
        /** Whether linked pages need previews. */
        readonly isPreviewed: boolean;
      }
    | undefined;
  readonly place:
    | {
        /** The stream that the topic is in. */
        readonly streamId: number;
        readonly topic: string;
        readonly topicId: number;
        readonly links: readonly TopicLink[];
      }
    | undefined;
}

export async function prepare(
  chat: Sending,
  message: Message,
  wish: Wish,
  by: User,
): Promise<Pick<Plan, 'words' | 'place'>> {
  const topic = wish.topic === undefined ? undefined : checkTopic(wish.topic, chat.tooLong);
  const content = wish.content === undefined ? undefined : checkNewContent(wish.content, chat.tooLong);
  return {
    words: content === undefined ? undefined : await prepareWords(chat, by, content),
    place:
      topic === undefined
        ? undefined
        : {
            streamId: message.recipientId,
            topic,
            topicId: await chat.topics.ensure(message.recipientId, topic),
            links: (await chat.vocabularies.topicLinks(by.realmId))(topic),
          },
  };
}

async function prepareWords(chat: Sending, by: User, content: string): Promise<Plan['words']> {
  const rendered = await renderContent(chat, by.realmId, content, by);
  const uploadIds = await findLinkedFiles(chat.mysql, by, content);
  return { content, rendered, uploadIds, isPreviewed: await wantsPreviews(chat, by, rendered.pages) };
}
