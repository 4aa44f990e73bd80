/** What can be done with a topic: the entries of its menus. */
import { navigate } from 'wouter/use-browser-location';
import { t, type TextKey } from '../../shared/texts/texts';
import { copyText } from '../../shared/ui/copy-text';
import type { MenuEntry } from '../../shared/menus/menu-button';
import type { IconName } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { deleteTopic, editMessage, setTopicPolicy } from '../data/actions';
import { pathOf, placeAt } from '../data/narrow';
import { chat, topicKey } from '../data/store';
import { newestIn } from '../data/topics';
import { streamConversation } from '../data/unread';
import { showDialog } from '../dialogs/dialogs';
import { topicPolicies } from '../notices/levels';
import { markConversationRead } from '../reading/mark-as-read';
import { isResolved, toggledTopic } from './resolved';

export function topicEntries(streamId: number, topic: string): (MenuEntry | 'line')[] {
  const { people, ownId, settings, streams } = chat();
  if (streams.get(streamId)?.is_archived) return [linkEntry(streamId, topic)];
  const own = people.get(ownId);
  const mayEdit = settings['realm_allow_message_editing'] === true;
  const mayMove = mayEdit && own?.is_guest !== true;
  const show = (kind: 'rename-topic' | 'move-topic' | 'delete-topic') => () => showDialog({ kind, streamId, topic });
  return [
    {
      icon: 'check',
      text: t('topic.markRead'),
      run: () => tell(markConversationRead(streamConversation(streamId, topic))),
    },
    ...policyEntries(streamId, topic),
    linkEntry(streamId, topic),
    ...(mayEdit
      ? ([
          'line',
          {
            icon: 'check',
            text: t(isResolved(topic) ? 'topic.unresolve' : 'topic.resolve'),
            run: () => tell(toggleResolved(streamId, topic)),
          },
          { icon: 'edit', text: t('topic.rename'), run: show('rename-topic') },
        ] as const)
      : []),
    ...(mayMove ? [{ icon: 'reply', text: t('topic.move'), run: show('move-topic') } as const] : []),
    ...(own?.is_admin === true ? [{ icon: 'trash', text: t('topic.delete'), run: show('delete-topic') } as const] : []),
  ];
}

/** In the order of their numbers. */
const POLICY_ENTRIES: readonly (readonly [IconName, TextKey])[] = [
  ['hash', 'topic.asStream'],
  ['mute', 'topic.mute'],
  ['bell', 'topic.unmute'],
  ['follow', 'topic.follow'],
];

function policyEntries(streamId: number, topic: string): (MenuEntry | 'line')[] {
  const { subscriptions, userTopics } = chat();
  const current = userTopics.get(topicKey(streamId, topic))?.visibility_policy ?? 0;
  const policies = topicPolicies(current, subscriptions.get(streamId)?.is_muted === true);
  return [
    'line',
    ...policies.map((policy) => {
      const [icon, text] = POLICY_ENTRIES[policy]!;
      const run = () => tell(setTopicPolicy(streamId, topic, policy));
      return { icon, text: t(text), isChosen: policy === current, run };
    }),
    'line',
  ];
}

const linkEntry = (streamId: number, topic: string): MenuEntry => ({
  icon: 'link',
  text: t('topic.copyLink'),
  run: () => tell(copyTopicLink(streamId, topic), t('message.linkCopied')),
});

const copyTopicLink = (streamId: number, topic: string): Promise<void> =>
  copyText(location.origin + pathOf({ kind: 'topic', streamId, topic }));

export interface TopicMove {
  readonly topic: string;
  readonly streamId: number;
  readonly tellsOld: boolean;
  readonly tellsNew: boolean;
}

/** Moves all messages of a topic. Whoever looks at it goes along. */
export async function moveTopic(streamId: number, topic: string, to: TopicMove): Promise<void> {
  const id = await newestIn(streamId, topic);
  if (id === undefined) return;
  await editMessage(id, {
    topic: to.topic,
    propagate_mode: 'change_all',
    ...(to.streamId === streamId ? {} : { stream_id: to.streamId }),
    send_notification_to_old_thread: to.tellsOld,
    send_notification_to_new_thread: to.tellsNew,
  });
  const here = placeAt(location.pathname)?.narrow;
  if (here?.kind === 'topic' && topicKey(here.streamId, here.topic) === topicKey(streamId, topic)) {
    navigate(pathOf({ kind: 'topic', streamId: to.streamId, topic: to.topic }));
  }
}

export const toggleResolved = (streamId: number, topic: string): Promise<void> =>
  moveTopic(streamId, topic, { topic: toggledTopic(topic), streamId, tellsOld: false, tellsNew: true });

export async function removeTopic(streamId: number, topic: string): Promise<void> {
  await deleteTopic(streamId, topic);
  const here = placeAt(location.pathname)?.narrow;
  if (here?.kind === 'topic' && topicKey(here.streamId, here.topic) === topicKey(streamId, topic)) {
    navigate(pathOf({ kind: 'stream', streamId }));
  }
}
