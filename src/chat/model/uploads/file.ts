/** The paths of uploaded files. */

/** Zulip's limit for a file. */
export const MAX_UPLOAD_MEGABYTES = 25;

/** The path of a file, outside the API. */
export const uploadPath = (upload: { realmId: number; token: string; name: string }): string =>
  `/user_uploads/${uploadPathId(upload)}`;
export const uploadPathId = ({ realmId, token, name }: { realmId: number; token: string; name: string }): string =>
  `${realmId}/${token.slice(0, 2)}/${token}/${encodeURIComponent(name)}`;

/** The most files that one message can share; its content has room for about as many. */
const MAX_LINKED = 100;

/** The unguessable tokens in a text's links to files. */
export function linkedTokens(content: string): string[] {
  if (!content.includes('/user_uploads/')) return [];
  const found = [...content.matchAll(/\/user_uploads\/\d+\/\w\w\/(\w{32})\//g)].map((match) => match[1]!);
  return [...new Set(found)].slice(0, MAX_LINKED);
}
