/** The source location where a Sentry exception was raised, with the lines around it. */
import { lookUp } from '../look-up';
import type { Payload } from '../payload';

/** Maps Sentry's platform names to the languages of code blocks. */
const LANGUAGES: Readonly<Record<string, string>> = { python: 'python3', node: 'javascript' };

const ARROW = '--->';

export function tracebackOf(event: Payload): string {
  // The last frame is the innermost, and the last exception is the one that was raised.
  const frames = event.object('exception').listOr('values').at(-1)?.objectOr('stacktrace').listOr('frames') ?? [];
  const frame = frames.findLast((each) => each.has('context_line'));
  if (!frame) return '';
  const before = frame.textsOr('pre_context').map((line) => indented('', line));
  const after = frame.textsOr('post_context').map((line) => indented('', line));
  const lines = [...before, indented(ARROW, frame.text('context_line')), ...after].join('\n');
  const platform = event.textOr('platform', '');
  const language = lookUp(LANGUAGES, platform) ?? platform;
  return `\n\nTraceback:\n~~~~ ${/^[a-z0-9_+-]{0,20}$/i.test(language ?? '') ? language : ''}\n${lines}\n~~~~`;
}

const indented = (mark: string, line: string): string => `${mark.padEnd(ARROW.length)} ${line}`.trimEnd();
