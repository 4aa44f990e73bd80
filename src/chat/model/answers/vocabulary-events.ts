/** Events about custom emoji and linkifiers. */
import { z } from 'zod';
import { event } from './people-events';
import { linkifier, oneEmoji, realmEmoji, todayLinkifier } from './realm';

export const vocabularyEvents = {
  RealmFiltersEvent: event('realm_filters', { realm_filters: z.array(linkifier) }),
  RealmLinkifiersEvent: event('realm_linkifiers', { realm_linkifiers: z.array(todayLinkifier) }),
  RealmEmojiEvent: event('realm_emoji', { op: z.literal('update'), realm_emoji: realmEmoji }),
  RealmEmojiAddedEvent: event('realm_emoji', { op: z.literal('add'), emoji: oneEmoji }),
  RealmEmojiChangedEvent: event('realm_emoji', {
    op: z.literal('update_one'),
    emoji_id: z.string(),
    data: z.object({ deactivated: z.boolean() }),
  }),
};
