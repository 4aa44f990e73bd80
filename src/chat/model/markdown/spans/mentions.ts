/**
 * @**users**, @_**silent mentions**, @**all**, @**topic** and @*groups*. In quotes, all mentions are silent. Those of groups by
 * role always are: as in Zulip, nobody calls all members at once with them.
 */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt, mayBegin } from '../boundary';
import { isSystemGroup } from '../../users/system-groups';
import { findGroup, findUser, renderingOf, type Rendering } from '../rendering';

const PERSON = /@(_?)\*\*([^*]+)\*\*/y;
const GROUP = /@(_?)\*([^*]+)\*/y;

/** Wildcard names, `channel` by today's clients. Users with these names cannot be mentioned. */
const WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel']);
/** Mentions who takes part in the topic: a word of today's clients. */
const TOPIC = 'topic';

/** What is mentioned like a person and is nobody's name. */
export const NO_NAMES: ReadonlySet<string> = new Set([...WILDCARDS, TOPIC]);

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
  if (match[2] === TOPIC) {
    if (!isSilent) rendering.isTopicMention = true;
    pushMention(
      state,
      [['class', isSilent ? 'topic-mention silent' : 'topic-mention']],
      isSilent ? TOPIC : `@${TOPIC}`,
    );
    state.pos = PERSON.lastIndex;
    return true;
  }
  const person = personOf(rendering, match[2]!, isSilent);
  if (!person) return false;
  const className = isSilent ? 'user-mention silent' : 'user-mention';
  const attributes: Attributes = [
    ['class', className],
    ['data-user-id', person.id],
  ];
  pushMention(state, attributes, isSilent ? person.name : `@${person.name}`);
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
  const group = match && findGroup(rendering, match[2]!);
  if (!group) return false;
  const isSilent = match[1] === '_' || rendering.quoteDepth > 0;
  if (!isSilent && isSystemGroup(group.id)) return false;
  if (!isSilent) rendering.groupIds.add(group.id);
  const className = isSilent ? 'user-group-mention silent' : 'user-group-mention';
  const text = isSilent ? group.name : `@${group.name}`;
  const attributes: Attributes = [
    ['class', className],
    ['data-user-group-id', String(group.id)],
  ];
  pushMention(state, attributes, text);
  state.pos = GROUP.lastIndex;
  return true;
}

type Attributes = [string, string][];

function pushMention(state: StateInline, attributes: Attributes, text: string): void {
  state.push('mention_open', 'span', 1).attrs = attributes;
  state.push('text', '', 0).content = text;
  state.push('mention_close', 'span', -1);
}

export function mentionsPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'mention', readMention);
}
