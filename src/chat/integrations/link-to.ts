/** A link in a message; the text alone if the service gives no address. */
export const linkTo = (text: string, url: string): string => (url === '' ? text : `[${text}](${url})`);
