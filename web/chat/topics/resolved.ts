/** A resolved topic begins with a check mark, as in Zulip. */
import { RESOLVED } from '../data/topics';

const MAX_LENGTH = 60;

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** The name without the mark. */
export const plainTopic = (topic: string): string => (isResolved(topic) ? topic.slice(RESOLVED.length) : topic);

/** The name that the topic has once it is resolved, or no longer. A long one is cut to make room for the mark. */
export const toggledTopic = (topic: string): string =>
  isResolved(topic)
    ? plainTopic(topic)
    : Array.from(RESOLVED + topic)
        .slice(0, MAX_LENGTH)
        .join('')
        .trimEnd();
