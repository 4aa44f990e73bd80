/** Validates what socket clients send, and acknowledges errors. */
import { z } from 'zod';
import { faultOf } from '../../kernel/http/faults';
import { statusOf } from '../../kernel/http/wire-format';
import { searchableId } from '../../kernel/id';
import { sayIssues } from '../../kernel/text/plain-words';
import type { Reading } from '../commands/texting/mark-texts-read';
import { invalid } from '../model/faults';
import { problemObject, type Problem } from '../model/problem';
import { badCredentials, tokenRequired } from '../model/socket-faults';

export type Acknowledge = (answer: object) => void;

/** The client's callback, if there is one: always the last argument. */
export function acknowledgement(args: readonly unknown[]): Acknowledge | undefined {
  const last = args.at(-1);
  return typeof last === 'function' ? (last as Acknowledge) : undefined;
}

export interface ShownCredentials {
  readonly token: string;
  readonly email: string | undefined;
  readonly after: number | null | undefined;
}

const credentials = z.object({
  token: z.string().min(1).max(200),
  user_email: z.string().max(254).nullish(),
  after: z.unknown().optional(),
});

/** A position that makes the client resync. */
const LOST = -1;

/** Some clients store the number as text. A client with a valid key is admitted even if its number is invalid. */
function readPosition(after: unknown): number | null | undefined {
  if (after === undefined || after === null) return after;
  const number = typeof after === 'string' && /^\d{1,16}$/.test(after) ? Number(after) : after;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : LOST;
}

export function readCredentials(payload: unknown): ShownCredentials {
  const read = credentials.safeParse(payload);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    throw field === '' || field === 'token' ? tokenRequired() : badCredentials(sayIssues([issue!], payload));
  }
  const { token, user_email: email, after } = read.data;
  return { token, email: email || undefined, after: readPosition(after) };
}

const reading = z.object({
  conversation_id: z.string().min(1).max(64).transform(searchableId),
  messagesIds: z.array(z.string().min(1).max(64).transform(searchableId)).min(1).max(1000),
  timezone: z.string().max(64).nullish(),
});

export function readReading(payload: unknown): Reading {
  const read = reading.safeParse(payload);
  if (!read.success) throw invalid(sayIssues(read.error.issues, payload));
  const { conversation_id: conversationId, messagesIds, timezone } = read.data;
  return { conversationId, messagesIds, timezone: timezone || undefined };
}

/** Converts an error to an acknowledgement with the same body as in REST. */
export function problemOf(error: unknown): { readonly error: Problem } {
  const fault = faultOf(error);
  return { error: problemObject(statusOf(fault), fault.message) };
}
