import { encodeAudience } from '../../../src/chat/model/events/audience';
import { matchEntry, type QueueFilters } from '../../../src/chat/model/events/queue';
import type { UserId } from '../../../src/chat/model/users/user';

const filters = (sender: string): QueueFilters => ({
  eventTypes: null,
  narrow: [['sender', sender]],
  allPublicStreams: false,
  wantsHtml: true,
  computesAvatars: true,
  includeSubscribers: false,
});

test.each([
  ['owner@example.com', true],
  ['OWNER@example.com', true],
  ['ｏwner@example.com', false],
  ['ow\u200bner@example.com', false],
])('A queue that is narrowed to the sender %j gets messages of owner@example.com: %s', (sender, isGot) => {
  const message = { sender: 'owner@example.com', isPublic: false, flags: {} };
  const user = { id: 1 as UserId, role: 'member' as const };
  expect(
    matchEntry({ type: 'message', to: encodeAudience([user.id]), message }, filters(sender), true, user) !== null,
  ).toBe(isGot);
});
