/** Looks up the names in a narrow, and what of it its reader may see. */
import { emailKey } from '../../kernel/email-key';
import type { Database } from '../../kernel/mysql/pool';
import { badNarrow, searchText, type Operand, type Operator, type Term } from '../model/narrow';
import type { Condition, Narrow, Test } from '../model/narrow-condition';
import { checkStreams, plainCondition } from '../model/narrow-operands';
import { mayReadHistory, type ReadState } from '../model/read-state';
import { phrasesOf, wordsOf } from '../model/search-words';
import type { Stream } from '../model/stream';
import type { User } from '../model/user';
import * as names from '../store/narrow-names';
import * as people from '../store/people';
import * as readState from '../store/read-state';
import { byMembers } from '../store/recipients';
import * as streams from '../store/streams';

export interface Resolved {
  readonly narrow: Narrow;
  /** In the places the narrow is about. */
  readonly state: ReadState;
}

interface Reader {
  readonly db: Database;
  readonly by: User;
  /** What has been looked up already, by what it was called. */
  readonly streams: Map<string, Promise<Stream>>;
  readonly conversations: Map<string, Promise<number[]>>;
}

function once<T>(known: Map<string, Promise<T>>, operand: Operand, find: () => Promise<T>): Promise<T> {
  const key = JSON.stringify(operand);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

export async function resolveNarrow(db: Database, by: User, terms: readonly Term[]): Promise<Resolved> {
  const reader = { db, by, streams: new Map(), conversations: new Map() };
  const stream = await namedStream(reader, terms);
  const state = await readState.load(db, by.id, stream ? [stream.id] : await conversationOf(reader, terms));
  const publicIds = needsPublic(terms) ? await names.publicStreamIds(db, by.realmId) : [];
  const scope = { ...reader, stream, state, publicIds };
  const tests: Test[] = [];
  for (const term of terms) tests.push(...(await testsOf(scope, term, terms)));
  const text = searchText(terms);
  const words = wordsOf(text);
  for (const word of words) tests.push({ condition: { kind: 'word', word }, negated: false });
  // Nothing but the commonest words tells no message from another.
  if (words.size === 0 && text !== '') tests.push({ condition: recipients([]), negated: false });
  return { narrow: { tests, history: historyOf(scope, terms), phrases: phrasesOf(text), words }, state };
}

interface Scope extends Reader {
  /** The one that the narrow is about, if it is about one. */
  readonly stream: Stream | undefined;
  readonly state: ReadState;
  readonly publicIds: readonly number[];
}

const isPositive = (term: Term, operator: Term['operator']): boolean => term.operator === operator && !term.negated;

const needsPublic = (terms: readonly Term[]): boolean =>
  terms.some((term) => term.operator === 'streams' || (isPositive(term, 'is') && term.operand === 'starred'));

async function namedStream(reader: Reader, terms: readonly Term[]): Promise<Stream | undefined> {
  const term = terms.find((each) => isPositive(each, 'stream'));
  return term && findStream(reader, term.operand);
}

/** Only it has to be known when a narrow names the people in it; otherwise all places. */
async function conversationOf(reader: Reader, terms: readonly Term[]): Promise<number[] | undefined> {
  const term = terms.find((each) => isPositive(each, 'pm-with'));
  return term && conversation(reader, term.operand);
}

async function testsOf(scope: Scope, term: Term, terms: readonly Term[]): Promise<Test[]> {
  const condition = await conditionOf(scope, term, terms);
  // A negated `in` would show only what is muted; the real server takes it for the plain one.
  if (condition) return [{ condition, negated: term.negated && condition.kind !== 'home' }];
  if (term.operator !== 'search' || !term.negated) return [];
  return [...wordsOf(String(term.operand))].map((word) => ({ condition: { kind: 'word', word }, negated: true }));
}

type Maker = (scope: Scope, operand: Operand, terms: readonly Term[]) => Promise<Condition | undefined>;

const MAKERS: Readonly<Partial<Record<Operator, Maker>>> = {
  stream: async (scope, operand) => recipients([(await findStream(scope, operand)).id]),
  topic: (scope, operand, terms) => topicsOf(scope, String(operand), terms),
  streams: (scope, operand) => {
    checkStreams(operand);
    return Promise.resolve(recipients(scope.publicIds));
  },
  sender: async (scope, operand) => ({ kind: 'sender', id: (await findUser(scope, operand)).id }),
  'pm-with': async (scope, operand) => recipients(await conversation(scope, operand)),
  'group-pm-with': async (scope, operand) =>
    recipients(await names.sharedGroupIds(scope.db, scope.by.id, (await findUser(scope, operand)).id)),
  in: (scope, operand) => inCondition(scope, String(operand)),
};

const conditionOf = (scope: Scope, term: Term, terms: readonly Term[]): Promise<Condition | undefined> =>
  MAKERS[term.operator]?.(scope, term.operand, terms) ?? Promise.resolve(plainCondition(term));

const recipients = (ids: readonly number[]): Condition => ({ kind: 'recipients', ids: new Set(ids) });

async function topicsOf({ db, state, publicIds }: Scope, name: string, terms: readonly Term[]): Promise<Condition> {
  const named = terms.some((term) => isPositive(term, 'streams')) ? publicIds : [];
  return { kind: 'topics', ids: new Set(await names.topicIds(db, name.trim(), [...state.places.keys(), ...named])) };
}

async function inCondition({ db, by, state }: Scope, operand: string): Promise<Condition | undefined> {
  if (operand === 'all') return undefined;
  if (operand !== 'home') throw badNarrow(`unknown 'in' operand ${operand}`);
  return { kind: 'home', mutedPlaces: mutedPlaces(state), mutedTopics: new Set(await names.mutedTopicIds(db, by.id)) };
}

export const mutedPlaces = (state: ReadState): Set<number> =>
  new Set([...state.places.values()].filter(({ isMuted }) => isMuted).map(({ recipientId }) => recipientId));

/** A private stream that is none of theirs is as unknown as one that is not there. */
const findStream = (reader: Reader, operand: Operand): Promise<Stream> =>
  once(reader.streams, operand, () => lookUpStream(reader, operand));

async function lookUpStream({ db, by }: Reader, operand: Operand): Promise<Stream> {
  const stream =
    typeof operand === 'number'
      ? await streams.byId(db, by.realmId, operand)
      : await streams.byName(db, by.realmId, String(operand).trim());
  const mayKnow = stream && (by.role === 'admin' || (!stream.isPrivate && by.role !== 'guest'));
  const isTheirs = stream && !mayKnow && (await readState.load(db, by.id, [stream.id])).places.has(stream.id);
  if (!stream || (!mayKnow && !isTheirs)) throw badNarrow(`unknown stream ${String(operand)}`);
  return stream;
}

async function findUser({ db, by }: Reader, operand: Operand): Promise<User> {
  const [user] =
    typeof operand === 'number'
      ? await people.byIds(db, by.realmId, [operand])
      : await people.byEmails(db, by.realmId, [String(operand).trim()]);
  if (!user) throw badNarrow(`unknown user ${String(operand)}`);
  return user;
}

/** None where these people have never talked. */
const conversation = (reader: Reader, operand: Operand): Promise<number[]> =>
  once(reader.conversations, operand, () => lookUpConversation(reader, operand));

async function lookUpConversation({ db, by }: Reader, operand: Operand): Promise<number[]> {
  const named = typeof operand === 'object' ? [...operand] : String(operand).split(',');
  const keys = new Set(named.map((each) => (typeof each === 'number' ? each : emailKey(each))));
  const found =
    typeof operand === 'object'
      ? await people.byIds(db, by.realmId, [...operand])
      : await people.byEmails(db, by.realmId, [...keys].map(String));
  if (found.length < keys.size) throw badNarrow(`unknown user in ${String(operand)}`);
  const members = new Set([by.id, ...found.map(({ id }) => id)]);
  const id = await byMembers(db, by.realmId, [...members]);
  return id === undefined ? [] : [id];
}

/** Streams of which also that is shown which the reader has not received. */
function historyOf({ by, stream, state, publicIds }: Scope, terms: readonly Term[]): Set<number> {
  const isGuest = by.role === 'guest';
  const about = terms.filter(({ operator }) => operator === 'is');
  const isStarred = about.length === 1 && about.some((term) => isPositive(term, 'is') && term.operand === 'starred');
  // Everything else that `is` says is said only of what was received.
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
