/** Validates JSON lists and objects in form fields, with Zulip's messages. */
import { z } from 'zod';
import { readJson, text } from '../../kernel/http/params';
import { badRequest } from '../model/faults';
import { MAX_LISTED } from './wire-params';

/** Returns the checked value, or throws with the position. */
export type Check<T> = (place: string, value: unknown) => T;

export const isString: Check<string> = (place, value) => {
  if (typeof value !== 'string') throw badRequest(`${place} is not a string`);
  return value;
};

export const isBoolean: Check<boolean> = (place, value) => {
  if (typeof value !== 'boolean') throw badRequest(`${place} is not a boolean`);
  return value;
};

export const isInteger: Check<number> = (place, value) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw badRequest(`${place} is not an integer`);
  return value;
};

export const isListOf =
  <T>(each: Check<T>): Check<T[]> =>
  (place, value) => {
    if (!Array.isArray(value)) throw badRequest(`${place} is not a list`);
    if (value.length > MAX_LISTED) throw badRequest(`${place}: has more than ${MAX_LISTED} entries`);
    return value.map((item, index) => each(`${place}[${index}]`, item));
  };

type Fields = Readonly<Record<string, Check<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> };

/** An object with these keys; optional ones may be missing. `isClosed` rejects unknown keys. */
export const isDict =
  <R extends Fields, O extends Fields>(
    required: R,
    optional: O,
    isClosed: boolean,
  ): Check<Values<R> & Partial<Values<O>>> =>
  (place, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest(`${place} is not a dict`);
    const given = value as Record<string, unknown>;
    const missing = Object.keys(required).find((key) => !Object.hasOwn(given, key));
    if (missing !== undefined) throw badRequest(`${missing} key is missing from ${place}`);
    const checks: Fields = { ...required, ...optional };
    const unknown = Object.keys(given).filter((key) => !Object.hasOwn(checks, key));
    if (isClosed && unknown.length > 0) throw badRequest(`Unexpected arguments: ${unknown.join(', ')}`);
    const read = Object.entries(checks)
      .filter(([key]) => Object.hasOwn(given, key))
      .map(([key, check]) => [key, check(`${place}["${key}"]`, given[key])]);
    return Object.fromEntries(read) as Values<R> & Partial<Values<O>>;
  };

/** A parameter with JSON of such a shape. */
export const checked = <T>(place: string, check: Check<T>) =>
  readJson(z.unknown()).transform((value): T => check(place, value));

/** A string that should be JSON, as in Zulip, but that some clients send unquoted. */
export const looseString = (place: string) =>
  text
    .transform((written): string => {
      try {
        return isString(place, JSON.parse(written));
      } catch (error) {
        if (error instanceof SyntaxError) return written;
        throw error;
      }
    })
    .meta({ type: 'string' });
