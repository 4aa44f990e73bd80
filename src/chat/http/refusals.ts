/** Refusals common to all endpoints, for the OpenAPI document. Each route lists its own. */
import { Fault } from '../../kernel/fault';
import type { RouteFacts } from '../../kernel/http/route';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../../kernel/sessions/page-faults';
import { secondFactorMissing } from '../model/accounts/two-factor';
import { badArgument, invalidKey, missingArgument, notLoggedIn, wrongSubdomain } from '../model/faults';

/** For requests with a session cookie. */
const PAGE_REFUSALS: readonly Fault[] = [sessionEnded(), pageTokenRequired(), otherOrigin(), secondFactorMissing()];

/** The common refusals, then the route's own. */
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
