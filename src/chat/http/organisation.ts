/** Everything about the organisation as a whole, as one list. */
import { realmRoutes } from './realm';
import { realmDomainRoutes } from './realm-domains';
import { streamGroupRoutes } from './stream-groups';

export const organisationRoutes = [...realmRoutes, ...realmDomainRoutes, ...streamGroupRoutes];
