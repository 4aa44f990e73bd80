/** What a route answers when it succeeds, as data: the OpenAPI document is made from it. */
import { z } from 'zod';

/** A body that is no JSON. Null: there is no body. */
export interface Media {
  readonly mediaType: string | null;
}

export type Body = z.ZodType | Media | readonly (z.ZodType | Media)[];

/** One body, or several media types to choose from, with the route's own status; or bodies by status. */
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
