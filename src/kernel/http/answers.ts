/** A route's successful responses, as data for the OpenAPI document. */
import { z } from 'zod';

/** A body that is not JSON. Null means no body. */
export interface Media {
  readonly mediaType: string | null;
}

export type Body = z.ZodType | Media | readonly (z.ZodType | Media)[];

/** One body, or a choice of media types, with the route's own status; or bodies by status. */
export type Answer = Body | Readonly<Record<number, Body>>;

export const media = (mediaType: string): Media => ({ mediaType });
/** A file of any type. */
export const FILE: Media = media('*/*');
export const NO_BODY: Media = { mediaType: null };

export const isMedia = (body: object): body is Media => 'mediaType' in body;
export const isList = (body: object): body is readonly (z.ZodType | Media)[] => Array.isArray(body);
const isBody = (answer: Answer): answer is Body => answer instanceof z.ZodType || isMedia(answer) || isList(answer);

/** The bodies of a route by status. */
export const bodiesOf = (answer: Answer, status: number): Readonly<Record<number, Body>> =>
  isBody(answer) ? { [status]: answer } : answer;
