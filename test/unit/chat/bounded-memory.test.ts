import { MessageWriters } from '../../../src/chat/store/messages/message-packet';
import { ChangedUsers } from '../../../src/chat/caches/changed-users';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import type { User, UserId } from '../../../src/chat/model/users/user';
import type { Kernel } from '../../../src/kernel/kernel';

const REALM = 1 as RealmId;
const userOf = (id: number) => ({ id: id as UserId, realmId: REALM }) as User;

test('Message writers are cached for a bounded number of organisations', () => {
  const writers = new MessageWriters({} as Kernel, { entries: 5, bytes: 100_000, ttlMs: 60_000 });
  const first = writers.of(REALM);
  expect(writers.of(REALM)).toBe(first);
  for (let id = 2; id < 100; id += 1) writers.of(id as RealmId);
  expect(writers.size).toBe(5);
});

describe('Changed users', () => {
  test('A user who was looked up after a change is current, and one looked up before is not', () => {
    const changes = new ChangedUsers();
    const [before, after] = [userOf(7), userOf(7)];
    changes.follow(REALM);
    changes.lookedUp(before, changes.now);
    expect(changes.isCurrent(before)).toBe(true);
    changes.changed(REALM, before.id);
    changes.lookedUp(after, changes.now);
    expect([before, after].map((user) => changes.isCurrent(user))).toEqual([false, true]);
  });

  test('A lookup is outdated once its organisation was unfollowed, even if it is followed again', () => {
    const changes = new ChangedUsers();
    const user = userOf(7);
    changes.follow(REALM);
    changes.lookedUp(user, changes.now);
    changes.unfollow(REALM);
    expect(changes.isCurrent(user)).toBe(false);
    changes.follow(REALM);
    expect(changes.isCurrent(user)).toBe(false);
  });

  test('More changes than are remembered make every earlier lookup count as outdated', () => {
    const changes = new ChangedUsers();
    const [user, other] = [userOf(-7), userOf(-8)];
    changes.follow(REALM);
    changes.lookedUp(user, changes.now);
    for (let id = 1; id <= 20_000; id += 1) changes.changed(REALM, id as UserId);
    changes.lookedUp(other, changes.now);
    expect([user, other].map((each) => changes.isCurrent(each))).toEqual([false, true]);
  });
});
