/** All routes about users and their resources. */
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import type { LoginLimits } from '../accounts/login-limits';
import { botSignatureRoutes } from '../bots/bot-signatures';
import { botRoutes } from '../bots/bots';
import { realmExtraRoutes } from '../organisation/realm-extras';
import { pictureRoutes } from '../uploads/pictures';
import { uploadRoutes } from '../uploads/uploads';
import { presenceRoutes } from './presence';
import { settingRoutes } from './settings';
import { tourRoutes } from './tour';
import { userGroupRoutes } from './user-groups';
import { userRoutes } from './users';

export const userResourceRoutes = (chat: Chat, settings: ChatSettings, limits: LoginLimits) => [
  // Before the routes of a single user, because `me` is not a number.
  ...settingRoutes(chat, limits),
  ...tourRoutes,
  ...presenceRoutes,
  ...userRoutes(chat),
  ...botRoutes(chat),
  ...botSignatureRoutes,
  ...userGroupRoutes,
  ...realmExtraRoutes(chat, settings),
  ...pictureRoutes(chat),
  ...uploadRoutes,
];
