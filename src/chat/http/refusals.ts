/** What every endpoint may refuse, for the OpenAPI document; its own refusals stand in each route. */
import { Fault } from '../../kernel/fault';
import type { RouteFacts } from '../../kernel/http/route';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../../kernel/page-faults';
import { secondFactorMissing } from '../model/accounts/two-factor';
import { badArgument, invalidKey, missingArgument, notLoggedIn, wrongSubdomain } from '../model/faults';

/** Of a request with the cookie of a session. */
const PAGE_REFUSALS: readonly Fault[] = [sessionEnded(), pageTokenRequired(), otherOrigin(), secondFactorMissing()];

/** Those of every endpoint, then its own. */
export function refusalsOf(route: RouteFacts): readonly Fault[] {
  const needed = Object.entries(route.params).find(([, schema]) => !schema.safeParse(undefined).success)?.[0];
  const counted = new Fault('too-many', 'API usage exceeded rate limit', { fields: { 'retry-after': 1.5 } });
  return [
    ...(route.authenticated ? [notLoggedIn(), invalidKey(), wrongSubdomain(), ...PAGE_REFUSALS] : []),
    ...(route.limited ? [counted] : []),
    ...(needed === undefined ? [] : [missingArgument(needed), badArgument(needed, '…')]),
    ...route.refuses,
  ];
}
