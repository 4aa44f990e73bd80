/** All routes about the organisation as a whole. */
import type { Chat } from '../../parts';
import { absentRoutes } from '../absent';
import { streamGroupRoutes } from '../streams/stream-groups';
import { exportRoutes } from './exports';
import { realmRoutes } from './realm';
import { realmDomainRoutes } from './realm-domains';

export const organisationRoutes = (chat: Chat) => [
  ...realmRoutes,
  ...realmDomainRoutes,
  ...streamGroupRoutes,
  ...exportRoutes(chat),
  ...absentRoutes,
];
