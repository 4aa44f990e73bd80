/** People and bots. */
import { routesFor } from '../../kernel/http/route';
import type { User } from '../model/user';
import { getProfile } from '../queries/get-profile';

const { get } = routesFor<User>();

export const userRoutes = [get('/users/me', { summary: 'Get your own profile', run: ({ by }) => getProfile(by) })];
