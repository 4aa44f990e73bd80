/** @**users**, @_**silent mentions**, @**all** and @*groups*. In quotes, all mentions are silent. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { mayBegin } from '../boundary';
import { findGroup, findUser, sceneOf, type Scene } from '../scene';

const PERSON = /@(_?)\*\*([^*]+)\*\*/y;
const GROUP = /@\*([^*]+)\*/y;

/** Wildcard names. Users with these names cannot be mentioned. */
export const WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'stream']);

function readMention(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '@' || !mayBegin(src, pos)) return false;
  return readPerson(state) || readGroup(state);
}

function readPerson(state: StateInline): boolean {
  PERSON.lastIndex = state.pos;
  const match = PERSON.exec(state.src);
  if (!match) return false;
  const scene = sceneOf(state.env);
  const isSilent = match[1] === '_' || scene.quoteDepth > 0;
  const person = personOf(scene, match[2]!, isSilent);
  if (!person) return false;
  const className = isSilent ? 'user-mention silent' : 'user-mention';
  pushMention(state, [className, 'data-user-id', person.id], isSilent ? person.name : `@${person.name}`);
  state.pos = PERSON.lastIndex;
  return true;
}

function personOf(scene: Scene, name: string, isSilent: boolean): { id: string; name: string } | undefined {
  if (WILDCARDS.has(name)) {
    if (!isSilent) scene.isWildcardMention = true;
    return { id: '*', name };
  }
  const user = findUser(scene, name);
  if (!user) return undefined;
  if (!isSilent) scene.userIds.add(user.id);
  return { id: String(user.id), name: user.fullName };
}

function readGroup(state: StateInline): boolean {
  GROUP.lastIndex = state.pos;
  const match = GROUP.exec(state.src);
  const scene = sceneOf(state.env);
  const group = match && findGroup(scene, match[1]!);
  if (!group) return false;
  const isSilent = scene.quoteDepth > 0;
  if (!isSilent) scene.groupIds.add(group.id);
  const className = isSilent ? 'user-group-mention silent' : 'user-group-mention';
  const text = isSilent ? group.name : `@${group.name}`;
  pushMention(state, [className, 'data-user-group-id', String(group.id)], text);
  state.pos = GROUP.lastIndex;
  return true;
}

function pushMention(state: StateInline, [className, attribute, id]: [string, string, string], text: string): void {
  state.push('mention_open', 'span', 1).attrs = [
    ['class', className],
    [attribute, id],
  ];
  state.push('text', '', 0).content = text;
  state.push('mention_close', 'span', -1);
}

export function mentionsPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'mention', readMention);
}
