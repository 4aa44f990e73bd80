/** One rendering under way: its context made searchable, and what has been found so far. */
import type { Env, StateInline } from 'markdown-it';
import type { UserId } from '../user';
import type { KnownGroup, KnownStream, KnownUser, RealmEmoji, RenderContext } from './context';
import { openBudget, type Budget } from './matcher';

/** A stretch of a paragraph that is a link by itself. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

export interface Scene {
  readonly context: RenderContext;
  readonly showsPreviews: boolean;
  readonly budget: Budget;
  readonly userIds: Set<UserId>;
  readonly groupIds: Set<number>;
  isWildcardMention: boolean;
  hasLink: boolean;
  hasImage: boolean;
  hasAttachment: boolean;
  /** What was worked out of the paragraph being read. */
  paragraph: Paragraph | undefined;
}

export interface Paragraph {
  readonly state: StateInline;
  readonly spans: readonly Span[];
  nextSpan: number;
  /** Where each bracket and parenthesis closes; worked out when the first bracket is met. */
  closings?: ReadonlyMap<number, number>;
}

export function openScene(context: RenderContext, showsPreviews: boolean): Scene {
  return {
    context,
    showsPreviews,
    budget: openBudget(),
    userIds: new Set(),
    groupIds: new Set(),
    isWildcardMention: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    paragraph: undefined,
  };
}

/** The parser hands its environment through untyped. */
export const sceneOf = (env: Env | undefined): Scene => env!['scene'] as Scene;

export const environmentOf = (scene: Scene): Env => ({ scene });

export function findUser(scene: Scene, mention: string): KnownUser | undefined {
  const byId = /^.+\|(\d{1,15})$/s.exec(mention);
  if (byId) return scene.context.users.find(({ id }) => id === Number(byId[1]));
  const name = mention.toLowerCase();
  return scene.context.users.find(({ fullName }) => fullName.toLowerCase() === name);
}

export function findGroup(scene: Scene, mention: string): KnownGroup | undefined {
  const name = mention.toLowerCase();
  return scene.context.groups.find((group) => group.name.toLowerCase() === name);
}

/** Streams are named exactly, as the real server wants it. */
export const findStream = (scene: Scene, name: string): KnownStream | undefined =>
  scene.context.streams.find((stream) => stream.name === name);

export const findRealmEmoji = (scene: Scene, name: string): RealmEmoji | undefined =>
  scene.context.realmEmoji.find((emoji) => emoji.name === name && !emoji.deactivated);
