/** Reads what a carrier sent against the shape its documents give; anything else is nonsense, and says where. */
import { z } from 'zod';
import { isTooDeep } from '../../kernel/json-depth';
import { parseWhole } from '../../kernel/whole-text';
import { webAddress } from '../model/files/web-address';
import type { InboundMedia, SendId } from '../model/texting/texting';
import { CarrierNonsense } from './carrier';

const JSON_DEPTH = 32;

export function readJson<S extends z.ZodType>(schema: S, body: string): z.output<S> {
  if (isTooDeep(body, JSON_DEPTH)) throw new CarrierNonsense('The body is nested too deep');
  let value: unknown;
  try {
    value = parseWhole(body);
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

/** The value, or undefined where it makes no sense: for looking before deciding. */
export function peek<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** When it is said to have happened; when it came, where that is not said or no time. */
export function timeOf(text: string | null | undefined, otherwise: Date): Date {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? otherwise : at;
}

/** Only addresses that can be fetched over the web; carriers send no others. */
export function mediaOf(url: string, contentType?: string | null, size?: number | null): InboundMedia[] {
  const address = webAddress(url);
  if (address === undefined) return [];
  return [{ url: address, contentType: contentType || 'application/octet-stream', size: size ?? null }];
}

/** Our own name for something sent, if that is what it is. */
export const sendIdOf = (text: string | null | undefined): SendId | undefined =>
  text !== undefined && text !== null && /^[0-9a-f]{24}$/.test(text) ? (text as SendId) : undefined;

/** Ids are kept in 128 characters. */
export const messageId = z.string().min(1).max(128);

/** Some write their codes as numbers, some as text. */
export const code = z.union([z.string(), z.number()]).transform(String);
