/** Everything about people and what hangs on them, as one list. */
import type { Chat } from '../parts';
import type { ChatSettings } from '../settings';
import { botSignatureRoutes } from './bot-signatures';
import { botRoutes } from './bots';
import type { LoginLimits } from './login-limits';
import { pictureRoutes } from './pictures';
import { presenceRoutes } from './presence';
import { realmExtraRoutes } from './realm-extras';
import { settingRoutes } from './settings';
import { tourRoutes } from './tour';
import { uploadRoutes } from './uploads';
import { userGroupRoutes } from './user-groups';
import { userRoutes } from './users';

export const userResourceRoutes = (chat: Chat, settings: ChatSettings, limits: LoginLimits) => [
  // Before those of one user: `me` is no number.
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
