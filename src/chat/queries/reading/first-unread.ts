/** Finds the first unread message of a narrow, leaving out muted streams and topics. */
import { NEWEST_ANCHOR } from '../../model/reading/anchor';
import type { Condition } from '../../model/reading/narrow-condition';
import { driversOf } from '../../model/reading/narrow-drivers';
import type { OpenScope } from './open-narrow';
import { mutedPlaces } from './resolve-narrow';
import { scanMessages } from './scan-messages';

export async function firstUnread(scope: OpenScope): Promise<number> {
  const { by, narrow, state } = scope;
  const isNarrowedToPlaces = narrow.tests.some(({ condition, negated }) => condition.kind === 'recipients' && !negated);
  const home: Condition = {
    kind: 'home',
    // A reader who narrows to a muted stream wants to read it.
    mutedPlaces: isNarrowedToPlaces ? new Set() : mutedPlaces(state),
    mutedTopics: new Set(scope.mutedTopics),
  };
  const tests = [
    { condition: { kind: 'unread' } as const, negated: false },
    { condition: home, negated: false },
    ...narrow.tests,
  ];
  const unread = { ...narrow, tests, history: new Set<number>() };
  const drivers = driversOf(unread, { state, indexedId: scope.indexedId });
  // A very old unread message must not keep a client in the past for ever.
  const start = narrow.tests.length === 0 ? Math.max(by.pointer, 0) : 0;
  const [first] = await scanMessages({ ...scope, narrow: unread, drivers }, { direction: 'up', start, want: 1 });
  return first?.id ?? NEWEST_ANCHOR;
}
