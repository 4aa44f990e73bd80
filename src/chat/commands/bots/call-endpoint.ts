/** Posts one message to the endpoint of an outgoing webhook bot, and reads its reply. */
import { Fault } from '../../../kernel/fault';
import { OutboundError, type OutboundTrouble } from '../../../kernel/outbound/outbound-error';
import { callRequest, readReply, type BotReply, type CallFacts } from '../../model/bots/outgoing-webhook';
import { readWidget } from '../../model/messages/widget';
import type { Chat } from '../../parts';

/** What the bot should post, if anything; or why the call failed. */
export type Outcome =
  | { readonly said: BotReply | undefined }
  | {
      readonly failure: string;
      /** Whether a retry cannot help. */
      readonly isFinal: boolean;
    };

/** A reply beyond these limits cannot be a message. */
const LIMITS = { bodyBytes: 128 * 1024, totalMs: 10_000, idleMs: 10_000, redirects: 3 } as const;

/** These statuses mean that the endpoint is temporarily unavailable, not that it refuses the message. */
const LATER = new Set([429, 502, 503, 504]);

const TROUBLES: Readonly<Record<OutboundTrouble, Exclude<Outcome, { said: unknown }>>> = {
  'bad-url': { failure: 'Its address is none of http or https', isFinal: true },
  forbidden: { failure: 'Its address is not public', isFinal: true },
  'unknown-host': { failure: 'Its host has no address', isFinal: false },
  unreachable: { failure: 'Its program cannot be reached', isFinal: false },
  timeout: { failure: 'Its program did not answer in time', isFinal: false },
  redirects: { failure: 'Its program redirected the request too often', isFinal: true },
  'too-large': { failure: 'Its program answered too much', isFinal: true },
  broken: { failure: 'Its program answered with something that cannot be read', isFinal: true },
  busy: { failure: 'Too many programs of bots are being asked', isFinal: false },
};

export async function callEndpoint(chat: Chat, facts: CallFacts, signal: AbortSignal): Promise<Outcome> {
  const request = callRequest(facts);
  if (!request) return { failure: "Slack's format knows no private messages", isFinal: true };
  try {
    const { url, interface: format } = facts.endpoint;
    const { status, body } = await chat.outbound.send({ url, method: 'POST', ...request, limits: LIMITS, signal });
    if (status < 200 || status > 299) {
      return { failure: `Its program answered with status ${status}`, isFinal: !LATER.has(status) };
    }
    return outcomeOf(readReply(format, body.toString('utf8')));
  } catch (error) {
    // An aborted call says nothing about the endpoint. Another process calls again.
    if (!(error instanceof OutboundError) || signal.aborted) throw error;
    return TROUBLES[error.trouble];
  }
}

function outcomeOf(said: BotReply | undefined | null): Outcome {
  if (said === null) return { failure: 'Its program did not answer with a JSON object', isFinal: true };
  if (said?.widget === undefined) return { said };
  try {
    return { said: { ...said, widget: readWidget(said.widget) } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { failure: `Its program answered with a wrong widget_content (${error.message})`, isFinal: true };
  }
}
