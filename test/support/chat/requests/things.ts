/** The objects of an organisation, which only its own users may request. */

/** One organisation's objects, or objects that never existed. */
export interface Things {
  readonly message_id: number;
  readonly private_id: number;
  readonly poll_id: number;
  readonly stream_id: number;
  readonly stream: string;
  readonly user_id: number;
  readonly bot_id: number;
  readonly email: string;
  readonly group_id: number;
  readonly inner_group_id: number;
  readonly group: string;
  readonly field_id: number;
  readonly filter_id: number;
  readonly domain: string;
  readonly stream_group_id: number;
  readonly channel_folder_id: number;
  readonly export_id: number;
  readonly attachment_id: number;
  readonly emoji_name: string;
  readonly emoji_id: number;
  readonly realm_id: number;
  readonly queue_id: string;
  readonly token: string;
  /** An emailed invitation, and a reusable link. */
  readonly invite_id: number;
  readonly link_id: number;
  readonly draft_id: number;
  readonly scheduled_message_id: number;
  readonly reminder_id: number;
  readonly push_device_id: number;
  /** The file name of an uploaded avatar. */
  readonly avatar: string;
  readonly session_id: number;
}

export const NOTHING: Things = {
  message_id: 987_654_301,
  private_id: 987_654_302,
  poll_id: 987_654_313,
  stream_id: 987_654_303,
  stream: 'never made',
  user_id: 987_654_304,
  bot_id: 987_654_305,
  email: 'never-was@example.com',
  group_id: 987_654_306,
  inner_group_id: 987_654_330,
  group: 'nobody',
  field_id: 987_654_307,
  filter_id: 987_654_308,
  domain: 'never-was.example',
  stream_group_id: 987_654_312,
  channel_folder_id: 987_654_318,
  export_id: 987_654_314,
  attachment_id: 987_654_309,
  emoji_name: 'never_drawn',
  emoji_id: 987_654_310,
  realm_id: 987_654_311,
  queue_id: `${'0'.repeat(32)}:1`,
  token: 'x'.repeat(32),
  invite_id: 987_654_315,
  link_id: 987_654_316,
  draft_id: 987_654_317,
  scheduled_message_id: 987_654_321,
  reminder_id: 987_654_322,
  push_device_id: 987_654_323,
  avatar: `${'0'.repeat(40)}.png`,
  session_id: 987_654_320,
};

/** The file at the end of a picture's address. */
export function fileIn(path: string, things: Things): string {
  if (path.includes('/emoji/')) return `${things.emoji_id}.png`;
  return path.includes('/realm/') ? 'icon.png' : things.avatar;
}

/** The path of a route, for these objects. Names that no organisation has are filled in by hand. */
export const pathOf = (path: string, things: Things): string =>
  path
    .replace('{prefix}', '00')
    .replace('{name}', 'plans.txt')
    .replace('{provider}', 'idp')
    .replace('{thumbnail_format}', '960x600.webp')
    .replace('{file}', fileIn(path, things))
    .replace('{who}', String(things.user_id))
    .replace(/\{(\w+)\}/g, (_, name: keyof Things) => encodeURIComponent(things[name]));

/** Path parameters that name no object of an organisation, besides those of the objects. */
export const FILLED_IN: ReadonlySet<string> = new Set(
  'prefix name provider thumbnail_format file who integration'.split(' '),
);
