/** Messages for today's clients. */
import { asciiJson } from '../../../kernel/text/ascii-json';
import type { TopicLink } from '../markdown/context';
import { todayHtml } from './today-html';

interface Reacted {
  readonly user: { readonly id: number };
}

/** What a message is made of besides its fields. */
export interface MessageOrigin {
  /** Those in its topic. */
  readonly links: readonly TopicLink[];
  readonly source: string;
}

/** A message as `GET /messages` and its like present it. */
export function todayMessage<M extends Record<string, unknown>>(message: M, { links, source }: MessageOrigin): M {
  const {
    reactions,
    content,
    content_type: type,
  } = message as {
    readonly reactions?: readonly Reacted[];
    readonly content?: string;
    readonly content_type?: string;
  };
  return {
    ...message,
    topic_links: links,
    reactions: (reactions ?? []).map((each) => ({ ...each, user_id: each.user.id })),
    ...(type === 'text/html' && content !== undefined ? { content: todayHtml(content, () => source) } : {}),
  };
}

const OLDER_LINKS = ',"subject_links":[';

/** The field goes before the one of clients of 2.1. Quotes inside strings are escaped, so only that one is found. */
export const todayMessageStart = (text: string, links: readonly TopicLink[]): string =>
  text.replace(OLDER_LINKS, () => `,"topic_links":${asciiJson(JSON.stringify(links))}${OLDER_LINKS}`);
