/** Messages for today's clients. */
import { todayHtml } from './today-html';

interface Reacted {
  readonly user: { readonly id: number };
}

/** A message as `GET /messages` and its like present it. */
export function todayMessage<M extends Record<string, unknown>>(message: M): M {
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
    reactions: (reactions ?? []).map((each) => ({ ...each, user_id: each.user.id })),
    ...(type === 'text/html' && content !== undefined ? { content: todayHtml(content) } : {}),
  };
}
