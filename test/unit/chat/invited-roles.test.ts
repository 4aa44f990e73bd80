import { checkRole, invitedAs } from '../../../src/chat/model/accounts/invitation';
import { type Standing, standingOf } from '../../../src/chat/model/users/role';
import type { User } from '../../../src/chat/model/users/user';

const [OWNER, ADMIN, MODERATOR, MEMBER, GUEST] = [100, 200, 300, 400, 600] as const;
const mayInviteAs = (by: number, as: number): boolean => {
  try {
    return checkRole(standingOf(by) as User, as) !== undefined;
  } catch {
    return false;
  }
};

test('Nobody invites others to more than they are, and moderators are invited by administrators', () => {
  const all = [OWNER, ADMIN, MODERATOR, MEMBER, GUEST];
  const allowed = all.map((by) => all.filter((as) => mayInviteAs(by, as)));
  const few = [MEMBER, GUEST];
  expect(allowed.slice(0, 4)).toEqual([all, all.slice(1), few, few]);
  expect(mayInviteAs(OWNER, 500)).toBe(false);
});

test('Answers say it in the numbers of 2.1, where that has one', () => {
  const told = [OWNER, ADMIN, MODERATOR, MEMBER, GUEST].map((number) => invitedAs(standingOf(number) as Standing));
  expect(told).toEqual([100, 2, 300, 1, 3]);
});
