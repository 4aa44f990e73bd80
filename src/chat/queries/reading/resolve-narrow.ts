/** Resolves the names in a narrow, and which part of it the reader may see, in one round trip. */
import { exactEmail } from '../../../kernel/secrets/email-key';
import { known, mapRead, together, type Read } from '../../../kernel/mysql/read-packet';
import { badNarrow, searchText, type Operand, type Operator, type Term } from '../../model/reading/narrow';
import type { Condition, Narrow, Test } from '../../model/reading/narrow-condition';
import { checkStreams, plainCondition } from '../../model/reading/narrow-operands';
import { mayReadHistory, type ReadState } from '../../model/reading/read-state';
import { phrasesOf, wordsOf } from '../../model/reading/search-words';
import type { Stream } from '../../model/streams/stream';
import type { TopicPolicies } from '../../model/streams/topic-policy';
import type { User } from '../../model/users/user';
import * as names from '../../store/reading/narrow-names';
import { stateRead, type Places } from '../../store/reading/read-state';
import { policiesRead } from '../../store/streams/user-topics';

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

const nameOf = (operand: Operand): string | number => (typeof operand === 'number' ? operand : String(operand).trim());

/** Normalised for comparison, without duplicates. */
function membersOf(operand: Operand): names.PeopleNames {
  if (typeof operand === 'object') return [...new Set(operand)];
  return [...new Set(String(operand).split(',').map(exactEmail))];
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
  sender: ({ by }, operand) => names.peopleRead(by.realmId, [nameOf(operand)]),
  'pm-with': ({ by }, operand) => names.conversationRead(by, membersOf(operand)),
  'group-pm-with': ({ by }, operand) =>
    together({
      people: names.peopleRead(by.realmId, [nameOf(operand)]),
      ids: names.sharedGroupsRead(by, nameOf(operand)),
    }),
  in: ({ by }) => policiesRead(by.id),
};

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
  if (condition) return [{ condition, negated: term.negated && condition.kind !== 'home' }];
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
  'group-pm-with': (_, operand, found) => {
    const { people, ids } = found as names.NamedConversation;
    userOf(people, operand);
    return recipients(ids);
  },
  in: ({ state }, operand, found) => {
    if (operand === 'all') return undefined;
    if (operand !== 'home') throw badNarrow(`unknown 'in' operand ${String(operand)}`);
    return { kind: 'home', mutedPlaces: mutedPlaces(state), policies: found as TopicPolicies };
  },
};

export const mutedPlaces = (state: ReadState): Set<number> =>
  new Set([...state.places.values()].filter(({ isMuted }) => isMuted).map(({ recipientId }) => recipientId));

/** A private stream that the reader may not see is reported as unknown. */
const streamOf =
  (by: User) =>
  (found: unknown, operand: Operand): Stream => {
    const named = found as names.NamedStream | undefined;
    const mayKnow = named && (by.role === 'admin' || (!named.stream.isPrivate && by.role !== 'guest'));
    if (!named || !(mayKnow || named.isTheirs)) throw badNarrow(`unknown stream ${String(operand)}`);
    return named.stream;
  };

function userOf([user]: readonly User[], operand: Operand): User {
  if (!user) throw badNarrow(`unknown user ${String(operand)}`);
  return user;
}

/** Empty if these users have no conversation yet. */
function conversationOf(found: unknown, operand: Operand): readonly number[] {
  const { people, ids } = found as names.NamedConversation;
  if (people.length < membersOf(operand).length) throw badNarrow(`unknown user in ${String(operand)}`);
  return ids;
}

/** Streams whose messages are shown even if the reader did not receive them. */
function historyOf({ by, terms, state, publicIds }: Scope, stream: Stream | undefined): Set<number> {
  const isGuest = by.role === 'guest';
  const about = terms.filter(({ operator }) => operator === 'is');
  const isStarred = about.length === 1 && about.some((term) => isPositive(term, 'is') && term.operand === 'starred');
  // All other `is` terms apply only to received messages.
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
