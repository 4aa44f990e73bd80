/** Addresses of the web that others give us: in the one form that is safe in a header, a log and a page. */

/** As many characters as the column of a file's address holds. */
const LONGEST = 2000;

/** The address in ASCII, without line ends; undefined where it is no address of the web. */
export function webAddress(written: string): string | undefined {
  if (written.length > LONGEST || !URL.canParse(written)) return undefined;
  const { protocol, href } = new URL(written);
  return /^https?:$/.test(protocol) && href.length <= LONGEST ? href : undefined;
}
