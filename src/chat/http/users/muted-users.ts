/** Muting users: their messages count as read, and nobody is told of them. */
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { muteUser, unmuteUser } from '../../commands/users/mute-user';
import { DONE } from '../../model/answers/envelope';
import { noSuchUser } from '../../model/faults';
import { cannotMuteSelf, tooManyMuted, userAlreadyMuted, userNotMuted } from '../../model/users/muted-users';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';

const { post, del } = routesFor<User>();

export const mutedUserRoutes = (chat: Sending) => [
  post('/users/me/muted_users/:user_id', {
    summary: 'Mute a user: what they write counts as read, and you are not told of it',
    answer: DONE,
    refuses: [noSuchUser(), cannotMuteSelf(), userAlreadyMuted(), tooManyMuted()],
    params: { user_id: integer },
    run: ({ by, params }) => muteUser(chat, by, params.user_id),
  }),
  del('/users/me/muted_users/:user_id', {
    summary: 'Unmute a user',
    answer: DONE,
    refuses: [noSuchUser(), userNotMuted()],
    params: { user_id: integer },
    run: ({ by, params }) => unmuteUser(chat, by, params.user_id),
  }),
];
