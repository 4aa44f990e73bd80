/** @**users**, @_**silent mentions**, @**all** and @*groups*. In quotes, all mentions are silent. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt, mayBegin } from '../boundary';
import { findGroup, findUser, renderingOf, type Rendering } from '../rendering';

const PERSON = /@(_?)\*\*([^*]+)\*\*/y;
const GROUP = /@\*([^*]+)\*/y;

/** Wildcard names, `channel` by today's clients. Users with these names cannot be mentioned. */
export const WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel']);

function readMention(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '@' || !mayBegin(src, pos)) return false;
  return readPerson(state) || readGroup(state);
}

function readPerson(state: StateInline): boolean {
  const match = execAt(PERSON, state.src, state.pos);
  if (!match) return false;
  const rendering = renderingOf(state.env);
  const isSilent = match[1] === '_' || rendering.quoteDepth > 0;
  const person = personOf(rendering, match[2]!, isSilent);
  if (!person) return false;
  const className = isSilent ? 'user-mention silent' : 'user-mention';
  pushMention(state, [className, 'data-user-id', person.id], isSilent ? person.name : `@${person.name}`);
  state.pos = PERSON.lastIndex;
  return true;
}

function personOf(rendering: Rendering, name: string, isSilent: boolean): { id: string; name: string } | undefined {
  if (WILDCARDS.has(name)) {
    if (!isSilent) rendering.isWildcardMention = true;
    return { id: '*', name };
  }
  const user = findUser(rendering, name);
  if (!user) return undefined;
  if (!isSilent) rendering.userIds.add(user.id);
  return { id: String(user.id), name: user.fullName };
}

function readGroup(state: StateInline): boolean {
  const match = execAt(GROUP, state.src, state.pos);
  const rendering = renderingOf(state.env);
  const group = match && findGroup(rendering, match[1]!);
  if (!group) return false;
  const isSilent = rendering.quoteDepth > 0;
  if (!isSilent) rendering.groupIds.add(group.id);
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
