/** Resolves the names in a narrow, and which part of it the reader may see, in one round trip. */
import { known, mapRead, together, type Read } from '../../../kernel/mysql/read-packet';
import { badNarrow, searchText, type Operand, type Operator, type Term } from '../../model/reading/narrow';
import type { Condition, Narrow, Test } from '../../model/reading/narrow-condition';
import { checkStreams, plainCondition } from '../../model/reading/narrow-operands';
import { mayReadHistory, type ReadState } from '../../model/reading/read-state';
import { phrasesOf, wordsOf } from '../../model/reading/search-words';
import type { Stream } from '../../model/streams/stream';
import { TOPIC_POLICY, type TopicPolicies } from '../../model/streams/topic-policy';
import type { User } from '../../model/users/user';
import * as names from '../../store/reading/narrow-names';
import { stateRead, type Places } from '../../store/reading/read-state';
import { policiesRead } from '../../store/streams/user-topics';
import { conversationOf, membersOf, nameOf, sharedOf, streamOf, userOf } from './named-in-narrow';

export interface Resolved {
  readonly narrow: Narrow;
  /** For the conversations that the narrow covers. */
  readonly state: ReadState;
  /** The ids of these conversations; undefined for all. */
  readonly places: readonly number[] | undefined;
}

/** Throws if the narrow turns out to be invalid once its names are resolved. */
export function narrowRead(by: User, terms: readonly Term[]): Read<Resolved> {
  const places = placesOf(by, terms);
  const lookups = terms.map((term) => lookupOf({ by, terms, places }, term));
  const all = together({
    found: together(lookups),
    state: stateRead(by.id, places),
    publicIds: needsPublic(terms) ? names.publicStreamsRead(by.realmId) : known([]),
  });
  return mapRead(all, (read) => resolve({ by, terms, ...read }));
}

interface Requested {
  readonly by: User;
  readonly terms: readonly Term[];
  readonly places: Places;
}

interface Scope extends Omit<Requested, 'places'> {
  readonly state: ReadState;
  readonly publicIds: readonly number[];
  /** The lookup result of each term. */
  readonly found: readonly unknown[];
}

const isPositive = (term: Term, operator: Term['operator']): boolean => term.operator === operator && !term.negated;

const needsPublic = (terms: readonly Term[]): boolean =>
  terms.some((term) => term.operator === 'streams' || (isPositive(term, 'is') && term.operand === 'starred'));

/** The narrow's stream, or else its private conversation; otherwise all of the reader's conversations. */
function placesOf(by: User, terms: readonly Term[]): Places {
  const stream = terms.find((term) => isPositive(term, 'stream'));
  if (stream) return names.streamPlace(by.realmId, nameOf(stream.operand));
  const conversation = terms.find((term) => isPositive(term, 'pm-with'));
  return conversation && names.conversationPlace(by, membersOf(conversation.operand));
}

const LOOKUPS: Readonly<Partial<Record<Operator, (requested: Requested, operand: Operand) => Read<unknown>>>> = {
  stream: ({ by }, operand) => names.streamRead(by, nameOf(operand)),
  topic: ({ by, terms, places }, operand) => {
    const name = String(operand).trim();
    const stream = terms.find((term) => isPositive(term, 'stream'));
    if (stream) return together([names.streamTopicsRead(by.realmId, nameOf(stream.operand), name)]);
    const isPublic = terms.some((term) => isPositive(term, 'streams'));
    return together([
      names.topicsRead(by.id, name, places),
      isPublic ? names.publicTopicsRead(by.realmId, name) : known([]),
    ]);
  },
  sender: ({ by }, operand) => names.peopleRead(by.realmId, [personOf(by, operand)]),
  'pm-with': ({ by }, operand) => names.conversationRead(by, membersOf(operand)),
  'group-pm-with': ({ by }, operand) => sharedWith(by, operand, true),
  'dm-including': ({ by }, operand) => sharedWith(by, operand, false),
  in: ({ by }) => policiesRead(by.id),
  is: ({ by }, operand) => (OF_TOPICS.has(String(operand)) ? policiesRead(by.id) : known(undefined)),
};

const OF_TOPICS: ReadonlySet<string> = new Set(['followed', 'muted']);
const IS_OF_TOPICS: ReadonlySet<string> = new Set([...OF_TOPICS, 'resolved']);

const personOf = (by: User, operand: Operand): string | number => (operand === 'me' ? by.id : nameOf(operand));

function sharedWith(by: User, operand: Operand, areGroups: boolean): Read<names.NamedConversation> {
  const person = personOf(by, operand);
  return together({ people: names.peopleRead(by.realmId, [person]), ids: names.sharedRead(by, person, areGroups) });
}

const lookupOf = (requested: Requested, { operator, operand }: Term): Read<unknown> =>
  LOOKUPS[operator]?.(requested, operand) ?? known(undefined);

function resolve(scope: Scope): Resolved {
  const { by, terms, state } = scope;
  const stream = firstNamed(scope, 'stream', streamOf(by));
  const conversation = stream ? undefined : firstNamed(scope, 'pm-with', conversationOf);
  const tests = terms.flatMap((term, at) => testsOf(scope, term, scope.found[at]));
  const text = searchText(terms);
  const words = wordsOf(text);
  for (const word of words) tests.push({ condition: { kind: 'word', word }, negated: false });
  // A search for nothing but stop words finds nothing.
  if (words.size === 0 && text !== '') tests.push({ condition: recipients([]), negated: false });
  return {
    narrow: { tests, history: historyOf(scope, stream), phrases: phrasesOf(text), words },
    state,
    places: stream ? [stream.id] : conversation,
  };
}

/** Reads what the first positive term with this operator names. */
function firstNamed<T>(
  { terms, found }: Scope,
  operator: Operator,
  read: (found: unknown, operand: Operand) => T,
): T | undefined {
  const at = terms.findIndex((term) => isPositive(term, operator));
  return at === -1 ? undefined : read(found[at], terms[at]!.operand);
}

function testsOf(scope: Scope, term: Term, found: unknown): Test[] {
  const maker = MAKERS[term.operator];
  const condition = maker ? maker(scope, term.operand, found) : plainCondition(term);
  // A negated `in` would show only muted messages. Zulip treats it like the plain one.
  if (condition) return [{ condition, negated: term.negated || term.operator === 'in' }];
  if (term.operator !== 'search' || !term.negated) return [];
  return [...wordsOf(String(term.operand))].map((word) => ({ condition: { kind: 'word', word }, negated: true }));
}

type Maker = (scope: Scope, operand: Operand, found: unknown) => Condition | undefined;

const recipients = (ids: readonly number[]): Condition => ({ kind: 'recipients', ids: new Set(ids) });

const MAKERS: Readonly<Partial<Record<Operator, Maker>>> = {
  stream: ({ by }, operand, found) => recipients([streamOf(by)(found, operand).id]),
  topic: (_, __, found) => ({ kind: 'topics', ids: new Set((found as number[][]).flat()) }),
  streams: ({ publicIds }, operand) => {
    checkStreams(operand);
    return recipients(publicIds);
  },
  sender: (_, operand, found) => ({ kind: 'sender', id: userOf(found as readonly User[], operand).id }),
  'pm-with': (_, operand, found) => recipients(conversationOf(found, operand)),
  'group-pm-with': (_, operand, found) => recipients(sharedOf(found, operand)),
  'dm-including': (_, operand, found) => recipients(sharedOf(found, operand)),
  is(scope, operand, found) {
    const policies = found as TopicPolicies;
    if (operand === 'muted') return { kind: 'muted', mutedPlaces: mutedPlaces(scope.state), policies };
    if (operand !== 'followed') return plainCondition({ operator: 'is', operand, negated: false });
    return {
      kind: 'topics',
      ids: new Set([...policies.keys()].filter((id) => policies.get(id) === TOPIC_POLICY.followed)),
    };
  },
  in: ({ state }, operand, found) => {
    if (operand === 'all') return undefined;
    if (operand !== 'home') throw badNarrow(`unknown 'in' operand ${String(operand)}`);
    return { kind: 'muted', mutedPlaces: mutedPlaces(state), policies: found as TopicPolicies };
  },
};

export const mutedPlaces = (state: ReadState): Set<number> =>
  new Set([...state.places.values()].filter(({ isMuted }) => isMuted).map(({ recipientId }) => recipientId));

/** Streams whose messages are shown even if the reader did not receive them. */
function historyOf({ by, terms, state, publicIds }: Scope, stream: Stream | undefined): Set<number> {
  const isGuest = by.role === 'guest';
  const about = terms.filter(({ operator, operand }) => operator === 'is' && !IS_OF_TOPICS.has(String(operand)));
  const isStarred = about.length === 1 && about.some((term) => isPositive(term, 'is') && term.operand === 'starred');
  // All other `is` terms but those about topics apply only to received messages.
  if (about.length > 0 && !isStarred) return new Set();
  const isOpen = (one: Pick<Stream, 'isPrivate' | 'isHistoryPublic'>, id: number) =>
    mayReadHistory(isGuest, one, state.places.get(id)?.isSubscribed ?? false);
  if (stream) return new Set(isOpen(stream, stream.id) ? [stream.id] : []);
  if (!isStarred && !terms.some((term) => isPositive(term, 'streams'))) return new Set();
  const own = [...state.places.values()]
    .filter((place) => isStarred && place.stream !== null && isOpen(place.stream, place.recipientId))
    .map(({ recipientId }) => recipientId);
  return new Set([...own, ...(isGuest ? [] : publicIds)]);
}
