/** All routes of texting. */
import type { Route } from '../../../kernel/http/route';
import type { Caller } from '../../model/contacts/contact';
import { textingContactRoutes } from './texting-contacts';
import { conversationRoutes } from './texting-conversations';
import { messageRoutes } from './texting-messages';
import { textNumberRoutes } from './texting-numbers';

export const textingRoutes: readonly Route<Caller>[] = [
  ...conversationRoutes,
  ...messageRoutes,
  ...textingContactRoutes,
  ...textNumberRoutes,
];
