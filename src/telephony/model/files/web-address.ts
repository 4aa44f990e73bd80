/** Normalises web URLs from outside to a form that is safe in a header, a log and a page. */

/** The length of the URL column. */
const MAX_LENGTH = 2000;

/** The URL in ASCII without line ends; undefined if it is not http or https. */
export function webAddress(written: string): string | undefined {
  if (written.length > MAX_LENGTH || !URL.canParse(written)) return undefined;
  const { protocol, href } = new URL(written);
  return /^https?:$/.test(protocol) && href.length <= MAX_LENGTH ? href : undefined;
}
