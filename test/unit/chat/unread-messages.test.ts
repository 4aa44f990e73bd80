import { TRAITS } from '../../../src/chat/model/messages/message';
import {
  ENDLESS,
  flagsOf,
  type MessageRef,
  type Place,
  type ReadState,
} from '../../../src/chat/model/reading/read-state';
import { unreadMessagesOf } from '../../../src/chat/model/reading/unread-messages';
import type { UserId } from '../../../src/chat/model/users/user';

const place = (recipientId: number, more: Partial<Place> = {}): Place => ({
  recipientId,
  stream: { isPrivate: false, isHistoryPublic: true },
  isSubscribed: true,
  isMuted: false,
  readId: 0,
  received: [{ from: 1, to: ENDLESS }],
  ...more,
});

const state: ReadState = {
  userId: 7 as UserId,
  readId: 10,
  places: new Map(
    [
      place(1, { readId: 20 }),
      place(2, { isMuted: true }),
      place(3, { stream: null }),
      place(4, { stream: null }),
      place(5, { stream: null }),
      place(6, { isSubscribed: false, received: [{ from: 30, to: 35 }] }),
    ].map((each) => [each.recipientId, each]),
  ),
};

const message = (
  id: number,
  recipientId: number,
  topicId: number | null,
  more: Partial<MessageRef> = {},
): MessageRef => ({
  id,
  recipientId,
  topicId,
  senderId: 8,
  traits: 0,
  ...more,
});

describe('Unread messages', () => {
  test('Unread messages are grouped by topic, person and group, and muted ones are not counted', () => {
    const unread = [
      message(21, 1, 100, { senderId: 9 }),
      message(22, 1, 100),
      message(23, 1, 101, { traits: TRAITS.wildcard }),
      message(24, 2, 200),
      message(25, 3, null),
      message(26, 3, null, { senderId: 7 }),
      message(27, 4, null),
      message(28, 5, null, { senderId: 7 }),
    ];
    const around = {
      state,
      topicNames: new Map([
        [100, 'lunch'],
        [101, 'noise'],
        [200, 'other'],
      ]),
      members: new Map([
        [3, [7, 8]],
        [4, [6, 7, 8]],
        [5, [7]],
      ]),
      policies: new Map([[101, 1 as const]]),
      mentioned: new Set([22]),
    };
    expect(unreadMessagesOf(unread, around)).toEqual({
      count: 6,
      pms: [
        { sender_id: 8, unread_message_ids: [25, 26] },
        { sender_id: 7, unread_message_ids: [28] },
      ],
      streams: [
        { stream_id: 1, topic: 'lunch', unread_message_ids: [21, 22], sender_ids: [8, 9] },
        { stream_id: 1, topic: 'noise', unread_message_ids: [23], sender_ids: [8] },
        { stream_id: 2, topic: 'other', unread_message_ids: [24], sender_ids: [8] },
      ],
      huddles: [{ user_ids_string: '6,7,8', unread_message_ids: [27] }],
      mentions: [22, 23],
    });
  });
});

describe('Flags', () => {
  const marks = {
    isRead: new Map([
      [5, false],
      [50, true],
    ]),
    flags: new Map([[51, new Set([1, 3])]]),
    topicReadIds: new Map([[100, 60]]),
  };
  test.each<[string, MessageRef, string[]]>([
    ['below every cursor', message(9, 1, 1), ['read']],
    ['below the cursor of its place', message(20, 1, 1), ['read']],
    ['above it', message(21, 1, 1), []],
    ['below the cursor of its topic', message(60, 1, 100), ['read']],
    ['unread below a cursor', message(5, 1, 1), []],
    ['read above one', message(50, 1, 1), ['read']],
    ['with rows', message(51, 1, 1), ['starred', 'mentioned']],
    ['to everyone', message(52, 1, 1, { traits: TRAITS.wildcard }), ['wildcard_mentioned']],
    ['seen by its sender', message(53, 1, 1, { senderId: 7, traits: TRAITS.senderRead }), ['read']],
    ['seen by another sender', message(54, 1, 1, { traits: TRAITS.senderRead }), []],
    ['before joining', message(29, 6, 1), ['read', 'historical']],
    ['while there', message(30, 6, 1), []],
    ['after leaving', message(36, 6, 1, { traits: TRAITS.wildcard }), ['read', 'historical']],
    ['in a place unknown', message(70, 99, 1), ['read', 'historical']],
  ])('The flags of a message follow from the read state: %s', (_, ref, expected) =>
    expect(flagsOf(state, ref, marks)).toEqual(expected),
  );
});
