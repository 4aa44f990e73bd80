/** The organisation's settings. */
import { z } from 'zod';
import { flag, integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { deactivateOwnRealm } from '../../commands/organisation/deactivate-realm';
import { updateOwnRealm } from '../../commands/organisation/update-realm';
import { DONE } from '../../model/answers/envelope';
import {
  REALM_DEFAULTS,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettings,
} from '../../model/organisation/realm-settings';
import type { User } from '../../model/users/user';
import { looseString } from '../json-checks';
import { realmAnswer } from '../../model/answers/realm';
import { adminsOnly } from '../../model/users/user-faults';

const { patch, post } = routesFor<User>();

function paramOf(name: RealmSetting): z.ZodType {
  if (name === 'message_retention_days') return z.union([z.literal('null').transform(() => null), integer]).optional();
  const usual = REALM_DEFAULTS[name];
  if (typeof usual === 'boolean') return flag.optional();
  return typeof usual === 'number' ? integer.optional() : looseString(name).optional();
}

const settings = Object.fromEntries(REALM_SETTINGS.map((name) => [name, paramOf(name)]));

export const realmRoutes = [
  patch('/realm', {
    summary: "Change the organisation's settings; administrators only",
    answer: realmAnswer,
    refuses: [adminsOnly()],
    params: { ...settings, name: looseString('name').optional(), description: looseString('description').optional() },
    run: async ({ kernel, by, params: { name, description, ...given } }) => {
      const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const changes = { name, description, settings: wanted as Partial<RealmSettings> };
      const changed = await updateOwnRealm(kernel, by, changes);
      // As in Zulip, the response says of texts only that they changed.
      return Object.fromEntries(
        Object.entries(changed).map(([key, value]) => [key, typeof value === 'string' ? 'updated' : value]),
      );
    },
  }),
  post('/realm/deactivate', {
    summary: 'Deactivate the organisation; administrators only',
    answer: DONE,
    refuses: [adminsOnly()],
    run: ({ kernel, by }) => deactivateOwnRealm(kernel, by),
  }),
];
