/** The state of one rendering: its indexed context, and what was found so far. */
import type { Env, StateInline } from 'markdown-it';
import type { UserId } from '../users/user';
import { exactEmail } from '../../../kernel/secrets/email-key';
import type { Addressee, KnownGroup, KnownStream, KnownUser, RealmEmoji, RenderContext } from './context';
import { openBudget, type Budget } from './patterns/matcher';

/** A range of a paragraph that is a link by itself. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

export interface Rendering {
  readonly context: RenderContext;
  /** A message shows pictures and draws formulas; a description does not. */
  readonly isMessage: boolean;
  readonly budget: Budget;
  readonly userIds: Set<UserId>;
  readonly groupIds: Set<number>;
  /** The drawn formulas, and their total length. */
  readonly drawings: string[];
  drawnLength: number;
  isWildcardMention: boolean;
  isTopicMention: boolean;
  hasLink: boolean;
  hasImage: boolean;
  hasAttachment: boolean;
  /** Linked pages that could get a preview. */
  readonly pages: string[];
  /** The quote depth of the current text. */
  quoteDepth: number;
  /** Computed data of the current paragraph. */
  paragraph: Paragraph | undefined;
  index?: Index;
}

interface Index {
  readonly userById: Map<number, KnownUser>;
  readonly userByName: Map<string, KnownUser>;
  readonly addressee: Map<string, Addressee>;
  readonly group: Map<string, KnownGroup>;
  readonly stream: Map<string, KnownStream>;
}

export interface Paragraph {
  readonly state: StateInline;
  readonly spans: readonly Span[];
  nextSpan: number;
  /** Where each bracket and parenthesis closes; computed at the first bracket. */
  closings?: ReadonlyMap<number, number>;
}

export function openRendering(context: RenderContext, isMessage: boolean): Rendering {
  return {
    context,
    isMessage,
    budget: openBudget(),
    userIds: new Set(),
    groupIds: new Set(),
    drawings: [],
    drawnLength: 0,
    isWildcardMention: false,
    isTopicMention: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    pages: [],
    quoteDepth: 0,
    paragraph: undefined,
  };
}

/** The parser passes its environment through untyped. */
export const renderingOf = (env: Env | undefined): Rendering => env!['rendering'] as Rendering;

export const environmentOf = (rendering: Rendering): Env => ({ rendering });

/** Built when the first name occurs: most messages have none, and a few have hundreds. */
function indexOf(rendering: Rendering): Index {
  if (rendering.index) return rendering.index;
  const { users, addressees, groups, streams } = rendering.context;
  // If several users share a name, the first counts.
  const known = users.toReversed();
  const index: Index = {
    userById: new Map(known.map((user) => [user.id, user])),
    userByName: new Map(known.map((user) => [user.fullName.toLowerCase(), user])),
    addressee: new Map(addressees.map((addressee) => [exactEmail(addressee.email), addressee])),
    group: new Map(groups.map((group) => [group.name.toLowerCase(), group])),
    stream: new Map(streams.map((stream) => [stream.name, stream])),
  };
  rendering.index = index;
  return index;
}

export function findUser(rendering: Rendering, mention: string): KnownUser | undefined {
  const [, id] = /^.+\|(\d{1,15})$/s.exec(mention) ?? [];
  const { userById, userByName } = indexOf(rendering);
  return id === undefined ? userByName.get(mention.toLowerCase()) : userById.get(Number(id));
}

export const findAddressee = (rendering: Rendering, address: string): Addressee | undefined =>
  indexOf(rendering).addressee.get(exactEmail(address));

export const findGroup = (rendering: Rendering, mention: string): KnownGroup | undefined =>
  indexOf(rendering).group.get(mention.toLowerCase());

/** Stream names must match exactly, as in Zulip. */
export const findStream = (rendering: Rendering, name: string): KnownStream | undefined =>
  indexOf(rendering).stream.get(name);

export const findRealmEmoji = (rendering: Rendering, name: string): RealmEmoji | undefined =>
  rendering.context.realmEmoji.find((emoji) => emoji.name === name && !emoji.deactivated);
