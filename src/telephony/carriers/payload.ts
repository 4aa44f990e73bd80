/** Parses a carrier's payload by the documented schema. A mismatch throws CarrierNonsense, which names the field. */
import { z } from 'zod';
import { isTooDeep } from '../../kernel/text/json-depth';
import { parseStrictJson } from '../../kernel/text/strict-json';
import { webAddress } from '../model/files/file';
import type { InboundMedia, SendId } from '../model/texting/texting';
import { CarrierNonsense } from './carrier';

const JSON_DEPTH = 32;

export function readJson<S extends z.ZodType>(schema: S, body: string): z.output<S> {
  if (isTooDeep(body, JSON_DEPTH)) throw new CarrierNonsense('The body is nested too deep');
  let value: unknown;
  try {
    value = parseStrictJson(body);
  } catch (error) {
    throw new CarrierNonsense('The body is not JSON', error);
  }
  return readShape(schema, value);
}

export function readShape<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CarrierNonsense(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`, read.error);
}

/** The value, or undefined if it cannot be parsed. */
export function peek<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The stated time, or the arrival time if it is missing or invalid. */
export function timeOf(text: string | null | undefined, otherwise: Date): Date {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? otherwise : at;
}

/** Keeps only http and https URLs; carriers send no others. */
export function mediaOf(url: string, contentType?: string | null, size?: number | null): InboundMedia[] {
  const address = webAddress(url);
  if (address === undefined) return [];
  return [{ url: address, contentType: contentType || 'application/octet-stream', size: size ?? null }];
}

/** Our own id of a send, if the text is one. */
export const sendIdOf = (text: string | null | undefined): SendId | undefined =>
  text !== undefined && text !== null && /^[0-9a-f]{24}$/.test(text) ? (text as SendId) : undefined;

/** The column holds 128 characters. */
export const messageId = z.string().min(1).max(128);

/** Some carriers send codes as numbers, some as text. */
export const code = z.union([z.string(), z.number()]).transform(String);
